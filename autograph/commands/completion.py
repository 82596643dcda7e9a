"""``autograph completion SHELL``: a script with which a shell completes the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.commands import files

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")

_DESCRIPTION = "Print a script that has a shell complete commands, options and files. It needs shtab."

_EPILOG = """\
examples:
  source <(autograph completion bash)                                     in ~/.bashrc
  autograph completion zsh > "${fpath[1]}/_autograph"                     once
  autograph completion fish > ~/.config/fish/completions/autograph.fish   once

In bash `python -m autograph` is completed, too; for `python -m runtime` read the script of `python -m runtime
completion bash` besides."""

_FILES = ("FILE[:NAME]", "FILE:NAME", "PATH", "OUT")
_FOLDERS = ("DIR",)

# Completes `python -m NAME` as NAME itself, where there is a script for that; all else is completed as before.
_MODULES = """\

_autograph_of_python() {
  local module="${COMP_WORDS[2]}"
  if [[ "${COMP_WORDS[1]}" == -m && $COMP_CWORD -gt 2 ]] && declare -F "_shtab_$module" > /dev/null; then
    COMP_WORDS=("$module" "${COMP_WORDS[@]:3}")
    COMP_CWORD=$(( COMP_CWORD - 2 ))
    "_shtab_$module"
  elif [[ -n "$_autograph_before" ]]; then
    "$_autograph_before" "$@"
  fi
}
if ! declare -p _autograph_before > /dev/null 2>&1; then
  _autograph_before=
  { _comp_load python || _completion_loader python; } > /dev/null 2>&1
  [[ "$(complete -p python 2> /dev/null)" =~ \\ -F\\ ([^\\ ]+) ]] && _autograph_before="${BASH_REMATCH[1]}"
fi
complete -o bashdefault -o default -F _autograph_of_python python python3
"""


def parser(prog: str = "autograph completion", shells: Sequence[str] = SHELLS) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=prog, description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("shell", choices=shells, help="what is to complete")
    return made


def script(shell: str, whole: argparse.ArgumentParser, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    """What a shell reads to complete a command line.

    Args:
      shell: one of `SHELLS`.
      whole: takes what names no command.
      commands: what takes the arguments of each command.
    Raises:
      ImportError: where shtab is not installed.
    """
    import shtab  # an extra

    known = argparse.ArgumentParser(whole.prog.rpartition(" ")[2], description=whole.description, add_help=False)
    for action in whole._actions:
        if action.option_strings:
            known._add_action(_told(action, shtab))
    parts = known.add_subparsers()
    for name, command in commands.items():
        made = parts.add_parser(name, parents=[command], add_help=False, help=command.description, prog=command.prog)
        for action in made._actions:
            _told(action, shtab)
    text: str = shtab.complete(known, shell)
    if shell == "bash":
        # What names no command is a file.
        return text.replace("complete -o bashdefault -F", "complete -o bashdefault -o default -F") + _MODULES
    return text


def _told(action: Any, shtab: Any) -> argparse.Action:
    """The action, which says whether it takes a file or folder."""
    if action.metavar in _FILES:
        action.complete = shtab.FILE
    elif action.metavar in _FOLDERS:
        action.complete = shtab.DIRECTORY
    return action  # type: ignore[no-any-return]


def completed(
    arguments: list[str], own: argparse.ArgumentParser, whole: argparse.ArgumentParser,
    commands: Mapping[str, argparse.ArgumentParser],
) -> int:  # fmt: skip
    """Print the script that is asked for, and return the exit status."""
    shell = own.parse_args(arguments).shell
    try:
        sys.stdout.write(script(shell, whole, {**commands, "completion": own}))
    except ImportError:
        return files.fail(2, "completion needs shtab (pip install shtab)")
    return 0
