//! Evidence files: what goes in comes out, and nothing that was touched is believed.

use battery::collect::collect;
use battery::evidence::{EvidenceFile, Header, Kind, NoiseOrigin, inspect};
use battery::ideal::Ideal;
use battery::supply::{ORDERS_PER_STREAM, Supply};
use indicatif::ProgressBar;
use std::fs;
use std::path::{Path, PathBuf};

const SEED: u64 = 11;

fn header(kind: Kind, cards: u16, count: u64) -> Header {
    let commit = "0123456789abcdef0123456789abcdef01234567".into();
    Header { kind, cards, count, noise: NoiseOrigin::Seeded(SEED), commit, source: "test".into() }
}

fn collected(folder: &Path, header: Header) -> PathBuf {
    let path = folder.join("evidence");
    collect(&Ideal(SEED), header, &path, &ProgressBar::hidden())
        .expect("the folder can be written")
        .expect("the file was not there before");
    path
}

fn refusal(path: &Path) -> String {
    EvidenceFile::open(path).map(|_| ()).expect_err("was believed").to_string()
}

// PG-21: final outcomes as collected are those the supply gave.
#[test]
fn orders_of_one_deck_and_of_eight_come_back_as_they_were_dealt() {
    for cards in [52, 416] {
        let folder = tempfile::tempdir().unwrap();
        let path = collected(folder.path(), header(Kind::Orders, cards, 2500));
        let file = EvidenceFile::open(&path).unwrap();
        assert_eq!(file.header, header(Kind::Orders, cards, 2500));
        for stream in 0..3 {
            let count = if stream == 2 { 2500 - 2 * ORDERS_PER_STREAM } else { ORDERS_PER_STREAM };
            let mut kept = vec![0; count * usize::from(cards)];
            let mut dealt = kept.clone();
            file.deal(stream, cards.into(), &mut kept).unwrap();
            Ideal(SEED).deal(stream, cards.into(), &mut dealt).unwrap();
            assert_eq!(kept, dealt);
        }
    }
}

// PG-21: numbers and raw output as well.
#[test]
fn numbers_and_raw_bytes_come_back_as_they_were_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Numbers, 7, 100_000));
    let (mut kept, mut drawn) = (vec![0; 34_464], vec![0; 34_464]);
    EvidenceFile::open(&path).unwrap().draw(1, 7, &mut kept).unwrap();
    Ideal(SEED).draw(1, 7, &mut drawn).unwrap();
    assert_eq!(kept, drawn);

    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Raw, 256, 70_000));
    let (mut kept, mut given) = (vec![0; 4464], vec![0; 4464]);
    EvidenceFile::open(&path).unwrap().raw(1, &mut kept).unwrap();
    Ideal(SEED).raw(1, &mut given).unwrap();
    assert_eq!(kept, given);
}

#[test]
fn one_altered_bit_anywhere_is_found_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Orders, 52, 3000));
    let whole = fs::read(&path).unwrap();
    for at in [0, 9, 10, 13, 17, 30, 45, 100, 150, 160, 5000, whole.len() - 9, whole.len() - 1] {
        let mut altered = whole.clone();
        altered[at] ^= 1;
        fs::write(&path, &altered).unwrap();
        let why = EvidenceFile::open(&path).map(|_| ()).expect_err(&format!("byte {at} passed"));
        let why = format!("{why:#}");
        let words = ["altered", "no evidence file", "version", "stops after"];
        assert!(words.iter().any(|word| why.contains(word)), "byte {at}: {why}");
    }
    fs::write(&path, [whole, vec![0]].concat()).unwrap();
    assert!(refusal(&path).contains("does not end where it should"));
}

#[test]
fn block_that_is_altered_is_named_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Orders, 52, 3000));
    let mut bytes = fs::read(&path).unwrap();
    let second_block = 160 + 1024 * 52 + 32;
    bytes[second_block + 77] ^= 0x80;
    fs::write(&path, bytes).unwrap();
    assert!(refusal(&path).contains("block 1 does not match its digest"));
}

#[test]
fn file_cut_short_says_how_far_it_came_and_is_completed_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Orders, 52, 3000));
    let whole = fs::read(&path).unwrap();
    let blocks = [160, 160 + 53_280, 160 + 2 * 53_280];
    for cut in [
        161,
        blocks[1] - 1,
        blocks[1],
        blocks[1] + 5000,
        blocks[2] + 1,
        whole.len() - 8,
        whole.len() - 3,
    ] {
        fs::write(&path, &whole[..cut]).unwrap();
        assert!(refusal(&path).contains("run the same collect command again"), "{cut}");
        let again =
            collect(&Ideal(SEED), header(Kind::Orders, 52, 3000), &path, &ProgressBar::hidden());
        assert!(again.unwrap().is_some());
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    fs::write(&path, &whole[..100]).unwrap();
    assert!(refusal(&path).contains("too short to hold a header"));
}

#[test]
fn whole_file_is_left_alone_by_a_second_collection() {
    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Orders, 52, 1500));
    let again =
        collect(&Ideal(SEED), header(Kind::Orders, 52, 1500), &path, &ProgressBar::hidden());
    assert_eq!(again.unwrap(), None);
    assert!(inspect(&path).unwrap().closed);
}

#[test]
fn interrupted_file_is_not_continued_by_another_commit_or_from_altered_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let path = collected(folder.path(), header(Kind::Orders, 52, 3000));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..100_000]).unwrap();
    let mut other = header(Kind::Orders, 52, 3000);
    other.commit = "another".into();
    let why = collect(&Ideal(SEED), other, &path, &ProgressBar::hidden()).unwrap_err().to_string();
    assert!(why.contains("cannot be continued"), "{why}");

    let mut altered = whole[..100_000].to_vec();
    altered[1000] ^= 1;
    fs::write(&path, altered).unwrap();
    let why = collect(&Ideal(SEED), header(Kind::Orders, 52, 3000), &path, &ProgressBar::hidden())
        .unwrap_err();
    assert!(why.to_string().contains("block 0 does not match"), "{why}");
}
