from __future__ import annotations

import pytest

from agent.permissions import obeyed_files, secret_names
from agent.permissions.obeyed_files import obeyed_part
from agent.permissions.secret_names import secret_part


def _example(row: str) -> tuple[str, ...]:
    path = row.replace("*", "x").upper()
    return (*"deep/er".split("/"), *path.rstrip("/").split("/"), *(["inside"] if path.endswith("/") else []))


def test_every_row_of_obeyed_files_holds_at_any_depth_and_in_any_case() -> None:
    missed = [row for row in obeyed_files.TABLE.rows if not obeyed_part(_example(row))]

    assert missed == []


def test_every_row_of_secret_names_holds_at_any_depth_and_in_any_case() -> None:
    missed = [row for row in secret_names.TABLE.rows if not secret_part(_example(row))]

    assert missed == []


@pytest.mark.parametrize(
    "path",
    [
        ".zshenv", ".gitconfig", ".config/autostart/x.desktop", ".config/systemd/user/x.service", "evil.pth",
        "lib/evil.PTH", "conftest.py", "tests/unit/conftest.py", ".github/workflows/ci.yml", ".gitlab-ci.yml",
        "CLAUDE.md", "sub/GEMINI.md", ".cursorrules", ".cursor/rules/a.mdc",
        ".github/copilot-instructions.md",
        ".circleci/config.yml", "Jenkinsfile", "azure-pipelines.yml", ".pre-commit-config.yaml",
        ".husky/pre-commit", ".vscode/tasks.json", ".idea/workspace.xml", ".nvim.lua", ".exrc",
        ".emacs.d/init.el", ".dir-locals.el", ".mcp.json", ".codex/config.toml", ".opencode/agent/a.md",
        ".envrc", ".npmrc", ".pypirc", "sitecustomize.py", "usercustomize.py", ".gitattributes",
        "repo.git/hooks/post-checkout", ".local/bin/ls", ".venv/bin/python", "node_modules/.bin/tsc",
        ".ssh/authorized_keys", ".aws/config", "Makefile", "crontab", ".ZSHENV.", "\uff0ezshenv",
        ".zsh\u200denv", ".zshenv ", ".zshenv:x", ".zshenv.local", ".zshrc.zwc", ".envrc.local",
        ".gitconfig-work", "ansible.cfg", ".mongoshrc.js", ".perldb", ".proverc", ".gnuplot",
        "rust-toolchain.toml", ".pnp.cjs", ".xserverrc", ".xbindkeysrc", ".bash_aliases.d/x", "Rakefile",
        ".vscode-insiders/settings.json", ".Xresources",
    ],
)  # fmt: skip
def test_what_other_programs_obey_is_known(path: str) -> None:
    assert obeyed_part(path.split("/"))


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py", "README.md", "setup.py", "pyproject.toml", "package.json", "Cargo.toml", "Dockerfile",
        "tests/test_a.py", "src/hooks/useState.ts", "docs/makefile-tips.md", "src/config/a.py", "bin/tool.py",
        "src/agents.py", "github/workflows.md", "a.path", "profile", "src/local/a.py", "tsconfig.json", "",
    ],
)  # fmt: skip
def test_ordinary_source_is_not_obeyed(path: str) -> None:
    assert obeyed_part(path.split("/")) == ""


@pytest.mark.parametrize(
    "path",
    [
        ".env", ".env.local", ".ENV.Production", "deploy/prod.env", "server.pem", "tls/server.key", "id_rsa",
        "id_ed25519", "deploy_rsa", ".netrc", ".pgpass", ".npmrc", ".pypirc", "credentials",
        "config/credentials.json", "vault.kdbx", "cert.p12", "cert.pfx", "store.jks", ".aws/credentials",
        ".ssh/config", ".gnupg/secring.gpg", ".kube/config", ".docker/config.json", "secrets.yaml",
        "secrets.toml", "secrets.json", "terraform.tfstate", "prod.tfvars", "service-account-prod.json",
        ".htpasswd", "keys.toml", ".bash_history", ".python_history", "cookies.sqlite", ".git-credentials",
        ".env.example.local", ".env~", "..env.swp", ".env-prod", ".envs/.local/.django", ".secrets",
        ".secrets.toml", "secrets.txt", "passwords.txt", "token.json", ".token", "api_key.txt",
        "id_rsa.bak", "id_rsa~", "#id_rsa#", ".id_rsa.swp", "server.key.old", ".netrc.orig", ".npmrc.save",
        "firebase-adminsdk-x.json", ".vault_pass.txt", ".databrickscfg", ".sentryclirc", "kaggle.json",
        ".smbcredentials", "office.ovpn", ".msmtprc", "secring.gpg", "sftp.json",
    ],
)  # fmt: skip
def test_a_name_of_a_secret_is_known(path: str) -> None:
    assert secret_part(path.split("/"))


@pytest.mark.parametrize(
    "path",
    [
        ".env.example", ".env.sample", ".env.template", "deploy/.env.production.example", "src/env.py",
        ".env.dist", "environment.md", "src/credentials.py", "src/secrets.py", "id_rsa.pub",
        ".ssh/known_hosts", "keys.py", "monkey.txt", "docs/pem.md", "src/cookies/index.ts", "history.md", "",
    ],
)  # fmt: skip
def test_ordinary_files_are_no_secrets(path: str) -> None:
    assert secret_part(path.split("/")) == ""


def test_plain_names_hold_no_wildcards() -> None:
    assert ".zshenv" in obeyed_files.PLAIN_NAMES
    assert ".vscode" in obeyed_files.PLAIN_NAMES
    assert not any("*" in name or name.endswith("/") for name in obeyed_files.PLAIN_NAMES)
