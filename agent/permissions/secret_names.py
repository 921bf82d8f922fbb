"""Names of files that usually hold secrets, so that reading them is asked even inside the workspace."""

from __future__ import annotations

from collections.abc import Sequence

from agent.permissions.file_names import NameTable

PROJECTS = """
    .env .env.* *.env .envrc .envrc.* secrets.yaml secrets.yml secrets.toml secrets.json secrets.env
    secret.yaml secret.yml secret.toml secret.json credentials credentials.yaml credentials.yml
    credentials.toml credentials.ini credentials.xml credentials.csv credentials.txt credentials.enc
    credential.json *credentials.json service-account*.json service_account*.json client_secret*.json
    terraform.tfstate terraform.tfstate.* *.tfstate *.tfvars *.tfvars.json .htpasswd .vault-token
    .vault_pass .vault-password local.settings.json wp-config.php keys.toml
"""

KEYS = """
    *.pem *.key *.p8 *.p12 *.pfx *.jks *.keystore *.kdbx *.kdb *.ppk id_rsa id_dsa id_ecdsa id_ecdsa_sk
    id_ed25519 id_ed25519_sk *_rsa *_dsa *_ecdsa *_ed25519 .ssh/ .gnupg/ .password-store/ keyrings/
"""

ACCOUNTS = """
    .netrc _netrc .pgpass .my.cnf .mylogin.cnf .npmrc .yarnrc .yarnrc.yml .pypirc .git-credentials
    .gem/credentials .cargo/credentials .cargo/credentials.toml .dockercfg .docker/config.json .aws/
    .azure/ .kube/ kubeconfig .boto .s3cfg .rclone.conf rclone.conf .config/gcloud/ .config/gh/
    .config/hub .config/glab-cli/ .config/op/ .config/rclone/ .config/doctl/ .terraform.d/ .terraformrc
    .m2/settings.xml .gradle/gradle.properties auth.json .claude.json .claude/.credentials.json
    .codex/auth.json .gemini/oauth_creds.json
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
    .env.*.dist .env.schema .env.defaults example.env sample.env template.env .envrc.example
    .envrc.sample .envrc.template terraform.tfvars.example *.pub known_hosts
    """
)
"""Names that a row above would cover, of files that are made to be shown."""


def secret_part(parts: Sequence[str]) -> str:
    """The part of a path that names a secret; empty for an ordinary file."""
    found = TABLE.find(parts)
    return "" if found and HARMLESS.find(parts[-1:]) else found


def mentions_secret(word: str) -> str:
    """The same for a path as text, such as a word of a command line."""
    return secret_part(word.split("/"))
