"""`wakeful completion`: what a shell needs to finish the user's words."""

from __future__ import annotations

import argparse
import sys

from tui.parser import Options

HELP = """Print the completion script for your shell.

  bash   eval "$(wakeful completion bash)"      in ~/.bashrc
  zsh    eval "$(wakeful completion zsh)"       in ~/.zshrc, after compinit
  fish   wakeful completion fish | source       in ~/.config/fish/config.fish"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell to write for")


def run(options: Options) -> int:
    from tui.completions import bash, fish, tree, zsh

    writers = {"bash": bash.write, "zsh": zsh.write, "fish": fish.write}
    sys.stdout.write(writers[options.shell](tree.nodes(), tree.setting_keys()))
    return 0
