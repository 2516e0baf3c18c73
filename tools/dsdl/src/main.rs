//! Writes whatever must agree with the DSDL, or checks that it does.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use dsdl::model::Model;
use dsdl::{namespace, tree, vectors};

/// Writes the Rust types and the message table from the DSDL.
#[derive(Parser)]
struct Cli {
    /// Change nothing; fail if anything would change
    #[arg(long)]
    check: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Print test vectors for other stacks as JSON
    Vectors {
        /// Another seed, other values
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Values of each type
        #[arg(long, default_value_t = 8)]
        count: usize,
    },
    /// Print the folders other DSDL tools need: ours, then the standard's
    Namespaces,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    let repository = namespace::repository();
    match cli.command {
        Some(Command::Vectors { seed, count }) => {
            let model = Model::new(&namespace::compile(&repository)?)?;
            println!("{}", vectors::json(&model, seed, count));
        }
        Some(Command::Namespaces) => {
            println!("{}", namespace::ours(&repository).display());
            println!("{}", namespace::standard(&repository)?.display());
        }
        None => {
            let files = tree::files(&repository)?;
            let changed = if cli.check {
                tree::differences(&repository, &files)?
            } else {
                tree::write(&repository, &files)?
            };
            for place in &changed {
                println!("{}", place.display());
            }
            match (cli.check, changed.len()) {
                (_, 0) => println!("{} files agree with the DSDL", files.len()),
                (true, many) => bail!("{many} files do not agree with the DSDL: cargo xtask dsdl"),
                (false, many) => println!("{many} files written"),
            }
        }
    }
    Ok(())
}
