#!/bin/sh
# Shows that no check of the random core is idle: removes each in turn from a copy of the
# crate and runs the tests, at least one of which must fail.
#
#   tools/mutate-health.sh            all, about ten minutes
#   tools/mutate-health.sh latch      those with `latch` in their name
#
# Prints one line per check and ends with failure if any removal went unnoticed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$copy/target}" RUST_BACKTRACE=0
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
cp -r "$root/src" "$root/tests" "$root/Cargo.toml" "$root/Cargo.lock" "$copy/"
[ -d "$root/examples" ] && cp -r "$root/examples" "$copy/"
sed -i 's/^members = .*/members = []/' "$copy/Cargo.toml"
# The core uses none of these, and without them each removal is compiled in a third of the time.
sed -i -E '/^pub mod (controller|node|services|paigow|protocol|reader|shuffler);/d' "$copy/src/lib.rs"
cp -r "$copy/src/entropy" "$copy/whole"
wanted=${1:-}
idle=0

tests() {
    (cd "$copy" && cargo test --quiet --no-run --lib --test entropy &&
        timeout 90 cargo test --quiet --lib entropy:: &&
        timeout 90 cargo test --quiet --test entropy) >"$copy/log" 2>&1
}

# without NAME FILE PERL: the edit must change the file and the result must compile.
without() {
    case $1 in *"$wanted"*) ;; *) return 0 ;; esac
    rm -rf "$copy/src/entropy" && cp -r "$copy/whole" "$copy/src/entropy"
    perl -0pi -e "$3" "$copy/src/entropy/$2"
    if cmp -s "$copy/src/entropy/$2" "$copy/whole/$2"; then
        printf '%-44s NO SUCH TEXT in %s\n' "$1" "$2"; idle=$((idle + 1)); return 0
    fi
    outcome=0
    tests || outcome=$?
    if [ $outcome -eq 0 ]; then
        printf '%-44s UNNOTICED\n' "$1"; idle=$((idle + 1))
    elif [ $outcome -eq 124 ]; then
        printf '%-44s noticed: the tests never end\n' "$1"
    elif grep -q '^error\(\[E\|: could not compile\)' "$copy/log"; then
        printf '%-44s DOES NOT COMPILE\n' "$1"; idle=$((idle + 1))
    else
        printf '%-44s noticed by %s\n' "$1" \
            "$(sed -n 's/^test \(.*\) \.\.\. FAILED/\1/p; s/^    \([a-z_]*::[a-z_:0-9]*\)$/\1/p' "$copy/log" | sort -u | wc -l) test(s)"
    fi
}

tests || { cat "$copy/log"; echo "the tests fail with every check in place"; exit 1; }

h=health/mod.rs
without 'repetition count' $h 's/trip\(self\.equal[^;]*;//'
without 'alternation' $h 's/trip\(self\.alternating[^;]*;//'
without 'per-lane repetition' $h 's/trip\(self\.lanes[^;]*;//'
without 'adaptive proportion' $h 's/trip\(self\.proportion[^;]*;//'
without 'block history' $h 's/trip\(self\.history[^;]*;//'
without 'long window, ones' health/windows.rs 's/is_far_from_half\(full\.ones\)/false/'
without 'long window, changes' health/windows.rs 's/is_far_from_half\(full\.changes\)/false/'
without 'zero word, health' $h 's/word == 0 \|\| //'
without 'repeated word' $h 's/ \|\| word == last//'
without 'second odd word' $h 's/if self\.odd_words\.is_first\(\)/if self.odd_words.is_first() || true/'
without 'odd block discarded' gate.rs 's/Verdict::Odd => return Ok\(false\)/Verdict::Odd => {}/'
without 'settings before the block' gate.rs 's/self\.noise\.settings_hold\(\)\?;//'
without 'settings after the block' gate.rs 's/(read\(block\)\?.*?)self\.noise\.settings_hold\(\)\?;/$1/s'
without 'zero word, driver' driver.rs 's/if word == 0 \{[^}]*\} else \{ Ok\(word\) \}/Ok(word)/'
without 'status before the word' driver.rs 's/self\.trusted_status\(\)\? & DATA/self.registers.status() & DATA/'
without 'status after the word' driver.rs 's/(data\(\);\s*)self\.trusted_status\(\)\?;/$1/'
without 'clock error' driver.rs 's/status & CLOCK_ERROR != 0/false/'
without 'seed error' driver.rs 's/status & SEED_ERROR != 0/false/'
without 'bounded wait' driver.rs 's/0\.\.self\.polls/0..1000 * self.polls/'
without 'settings read back at start' driver.rs 's/(set_control\(ENABLED\);\s*)self\.settings_hold\(\)\?;/$1/'
without 'words discarded after switching on' driver.rs 's/DISCARDED: u32 = 12/DISCARDED: u32 = 0/'
without 'clean status ends recovery' driver.rs 's/self\.trusted_status\(\)\.map\(\|_\| \(\)\)/Ok(())/'
without 'recovery bounded' driver.rs 's/0\.\.RECOVERY_TRIES/0..1000 * RECOVERY_TRIES/'
without 'seed errors, second soon' error_budget.rs 's/let first_lately = self\.lately\.is_first\(\)/let first_lately = self.lately.is_first() || true/'
without 'seed errors, third in a day' error_budget.rs 's/None => false/None => first_lately/'
without 'known start' random_core.rs 's/self\.kept\.knows\(mark\)/false/'
without 'startup noise discarded' random_core.rs 's/STARTUP_BLOCKS: usize = 7/STARTUP_BLOCKS: usize = 1/'
without 'known answer, broken conditioner' conditioner.rs 's/full entropy, block/full entropy, brick/'
without 'known answer, broken generator' drbg.rs 's/self\.step_key\(1, data\)/self.step_key(2, data)/'
without 'request limit of the generator' drbg.rs 's/ \|\| self\.blocks >= MOST_BLOCKS//'
without 'ledger' request.rs 's/!self\.ledger\.covers\(worth_bits\)/false/'
without 'sampler invariant' sampler.rs 's/if self\.z >= self\.m \{\s*return Err\(DrawFault::Broken\);\s*\}//'
without 'sampler keeps nothing of failed work' sampler.rs 's/let outcome = work\(&mut hand\)\?;(.*?)Ok\(outcome\)/let outcome = work(&mut hand);$1outcome/s'
without 'sampler retry cap' sampler.rs 's/0 \| 1 => (return Err\(DrawFault::Retries\))/0 => $1, 1 => 16/'
without 'reseeding of each request' request.rs 's/\|noise\| drbg\.reseed\(&\[noise\]\)/|_| ()/'
without 'generator left out of the output' request.rs 's/\(fresh \^ generated\)/fresh/'
without 'noise left out of the output' request.rs 's/\(fresh \^ generated\)/generated/'
without 'output wiped on a fault' random_core.rs 's/out\.zeroize\(\);//'
without 'order wiped when dropped' order.rs 's/self\.0\.zeroize\(\);//'
without 'latch written' random_core.rs 's/(kept\.latch = Some\(cause\);\s*)self\.save\(\);/$1/'
without 'latch read at start' random_core.rs 's/Event::Recalled\(kept\.latch\)/Event::Recalled(None)/'
without 'latch holds' state.rs 's/\(Self::Latched\(_\), _\) => self,//'
without 'unsaved latch written later' random_core.rs 's/if self\.unsaved \{\s*self\.save\(\);\s*\}//'

[ "$idle" -eq 0 ] && echo 'every check is needed' || { echo "$idle not shown to be needed"; exit 1; }
