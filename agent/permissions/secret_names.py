"""Names of files that usually hold secrets, so that reading them is asked even inside the workspace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.permissions.file_names import NameTable

PROJECTS = """
    .env .env.* .env-* .env_* .envs/ *.env .envrc .envrc.* secrets.yaml secrets.yml secrets.toml
    secrets.json secrets.env secrets.txt .secret .secrets/ .secrets.* password.txt passwords.txt
    token.json token.txt .token api_key.txt apikey.txt api-key.txt firebase-adminsdk*.json
    *-firebase-adminsdk*.json .vault_pass.* sftp.json sftp-config.json .ftpconfig secret.yaml secret.yml
    secret.toml secret.json credentials credentials.yaml credentials.yml credentials.toml credentials.ini
    credentials.xml credentials.csv credentials.txt credentials.enc credential.json *credentials.json
    service-account*.json service_account*.json client_secret*.json terraform.tfstate terraform.tfstate.*
    *.tfstate *.tfvars *.tfvars.json .htpasswd .vault-token .vault_pass .vault-password
    local.settings.json wp-config.php keys.toml
"""

KEYS = """
    *.pem *.key *.p8 *.p12 *.pfx *.jks *.keystore *.kdbx *.kdb *.ppk id_rsa id_dsa id_ecdsa id_ecdsa_sk
    id_ed25519 id_ed25519_sk *_rsa *_dsa *_ecdsa *_ed25519 .ssh/ .gnupg/ .password-store/ keyrings/
    secring.gpg *.ovpn
"""

ACCOUNTS = """
    .netrc _netrc .pgpass .my.cnf .mylogin.cnf .npmrc .yarnrc .yarnrc.yml .pypirc .git-credentials
    .gem/credentials .cargo/credentials .cargo/credentials.toml .dockercfg .docker/config.json .aws/
    .azure/ .kube/ kubeconfig .boto .s3cfg .rclone.conf rclone.conf .config/gcloud/ .config/gh/
    .config/hub .config/glab-cli/ .config/op/ .config/rclone/ .config/doctl/ .terraform.d/ .terraformrc
    .m2/settings.xml .gradle/gradle.properties auth.json .claude.json .claude/.credentials.json
    .databrickscfg .sentryclirc kaggle.json .huggingface/ .smbcredentials .passwd-s3fs .msmtprc .esmtprc
    .fetchmailrc .ngrok2/ .snowsql/ .pulumi/credentials.json .codex/auth.json .gemini/oauth_creds.json
"""

HISTORIES = """
    .*_history .*_history.* .*-history .*_hist .histfile .viminfo fish_history consolehost_history.txt
    cookies.sqlite cookies.sqlite-* cookies.txt cookies-journal logins.json key3.db key4.db
    signons.sqlite .mozilla/ .config/google-chrome/ .config/chromium/ .config/bravesoftware/
    .thunderbird/
"""

TABLE = NameTable(" ".join((PROJECTS, KEYS, ACCOUNTS, HISTORIES)))

HARMLESS = NameTable(
    """
    .env.example .env.*.example .env.sample .env.*.sample .env.template .env.*.template .env.dist
    .env.*.dist .env-example .env_example .env-sample .env_sample .env-template .env_template .env.schema
    .env.defaults example.env sample.env template.env .envrc.example .envrc.sample .envrc.template
    .secrets.baseline .secrets.example.* terraform.tfvars.example *.pub known_hosts

    """
)
"""Names that a row above would cover, of files that are made to be shown."""


# What editors and people add to the name of a file when they keep a copy of it.
_COPY = re.compile(
    r"(?P<mark>#)?\.?(?P<name>.+?)(?:~|\.(?:bak|backup|old|orig|save|copy|sw[a-p])|(?(mark)#|(?!)))"
)


def secret_part(parts: Sequence[str]) -> str:
    """The part of a path that names a secret, or a copy of one; empty for an ordinary file."""
    for spelled in (parts, *_originals(parts)):
        found = TABLE.find(spelled)
        if found and not HARMLESS.find(spelled[-1:]):
            return found
    return ""


def _originals(parts: Sequence[str]) -> list[list[str]]:
    """The file that this one is a copy of; vim puts a dot before the name, unless there is one."""
    copy = _COPY.fullmatch(parts[-1]) if parts else None
    if copy is None:
        return []
    return [[*parts[:-1], name] for name in (copy["name"], f".{copy['name']}")]


def mentions_secret(word: str) -> str:
    """The same for a path as text, such as a word of a command line."""
    return secret_part(word.split("/"))
