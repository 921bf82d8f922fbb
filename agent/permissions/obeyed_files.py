"""Files whose content other programs execute or obey, so that an edit acts outside the conversation.

In the table: files that take effect when a person or a service does something else (opens a shell, an editor
or the folder, commits, pushes, installs, starts the tests, starts another agent), and recipes that consist of
commands, which a command line such as `make` does not show.
Not in the table: source code and project manifests (`package.json`, `pyproject.toml`, `setup.py`, a
`Dockerfile`, the settings of linters and test runners). Editing them is what an agent is asked for, and
whoever runs them names them.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.permissions.file_names import NameTable, plain_rows

SHELLS = """
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_functions .profile .inputrc
    .pam_environment .zshenv .zshrc .zprofile .zlogin .zlogout .zpreztorc .zsh/ .oh-my-zsh/ .bashrc.d/
    .zshrc.d/ .profile.d/ .kshrc .mkshrc .cshrc .tcshrc .login .logout .xprofile .xinitrc .xsession
    .xsessionrc .xserverrc .xresources .xdefaults .xbindkeysrc .sxhkdrc .vnc/ .bash_aliases.d/ .bashrc.*
    .bash_profile.* .profile.* .zshenv.* .zshrc.* .zprofile.* .zlogin.* .zlogout.* .yashrc .xonshrc .elvish/
    .envrc .envrc.* .direnv/ .tool-versions .mise.toml mise.toml .mise/ .asdfrc .tmux.conf .tmux/
    .screenrc .config/ .local/ .ssh/ .gnupg/ .aws/ .kube/ .docker/ .curlrc .wgetrc .ripgreprc .mailcap
    .forward .procmailrc .muttrc .lesskey .wezterm.lua
"""

GIT = """
    .gitconfig .gitconfig.* .gitconfig-* .gitconfig_* .gitattributes .gitmodules .githooks/ commondir
    .hgrc .hg/ .svn/ .jj/ .husky/ .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml
    lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml .lefthook/ .overcommit.yml .lintstagedrc
    .lintstagedrc.* lint-staged.config.* hooks/applypatch-msg hooks/pre-applypatch hooks/post-applypatch
    hooks/pre-commit hooks/pre-merge-commit hooks/prepare-commit-msg hooks/commit-msg hooks/post-commit
    hooks/pre-rebase hooks/post-checkout hooks/post-merge hooks/pre-push hooks/pre-receive hooks/update
    hooks/proc-receive hooks/post-receive hooks/post-update hooks/reference-transaction
    hooks/push-to-checkout hooks/pre-auto-gc hooks/post-rewrite hooks/sendemail-validate
    hooks/fsmonitor-watchman hooks/post-index-change hooks/query-watchman
"""

PACKAGES = """
    .npmrc .yarnrc .yarnrc.yml .yarn/ .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.loader.mjs
    rust-toolchain rust-toolchain.toml ansible.cfg .ansible.cfg bunfig.toml .pypirc pip.conf pip.ini
    .pip/ uv.toml .condarc .gemrc .bundle/ .cargo/ .mvn/ .m2/ .gradle/ gradle/wrapper/ init.gradle
    nuget.config .bazelrc node_modules/ .venv/ venv/ site-packages/ dist-packages/ pyvenv.cfg
"""

INTERPRETERS = """
    *.pth *.egg-link sitecustomize.py usercustomize.py conftest.py .pdbrc .pdbrc.py .pythonrc
    .pythonrc.py .pythonstartup .ipython/ .jupyter/ .pylintrc pylintrc .irbrc .pryrc .rspec .rprofile
    .renviron .gdbinit .lldbinit .psqlrc .sqliterc .my.cnf .ghci .iex.exs .octaverc
    .perldb .proverc .gnuplot .mongorc.js .mongoshrc.js .byebugrc .rdbgrc .tclshrc .wishrc .sbclrc .guile
    .mailrc .lftprc .tigrc
"""

RECIPES = """
    makefile makefile.* gnumakefile justfile .justfile taskfile.yml taskfile.yaml noxfile.py tox.ini
    rakefile rakefile.* bsdmakefile
"""

AUTOSTART = """
    library/launchagents/ library/launchdaemons/ crontab cron.d/ spool/cron/ .i3/ .xmonad/ .fluxbox/
    .kde/
"""

SERVICES = """
    .github/ .gitlab/ .gitlab-ci.yml .gitlab-ci.yaml .gitlab-ci/ .circleci/ .ci/ jenkinsfile
    jenkinsfile.* *.jenkinsfile .jenkins/ azure-pipelines.yml azure-pipelines.yaml azure-pipelines/
    .azure-pipelines/ .azuredevops/ .travis.yml .travis/ appveyor.yml .appveyor.yml
    bitbucket-pipelines.yml .drone.yml .woodpecker.yml .woodpecker/ .buildkite/ .cirrus.yml .cirrus.star
    .semaphore/ .teamcity/ .gitea/ .forgejo/ cloudbuild.yaml cloudbuild.yml buildspec.yml buildspec.yaml
    codefresh.yml wercker.yml .builds/ .build.yml .tekton/ netlify.toml
"""

EDITORS = """
    .vscode/ .vscode-server/ .vscode-insiders/ .vscodium/ *.code-workspace .idea/ .zed/ .fleet/ .vs/ .vim/
    .vimrc .vimrc.local _vimrc .gvimrc .lvimrc .local.vimrc .exrc .nexrc .nvimrc .nvim.lua .nvim/ .emacs
    .emacs.el .emacs.d/ .dir-locals.el .dir-locals-2.el .doom.d/ .spacemacs .nanorc .helix/ .kakrc
    *.sublime-project .devcontainer/ .devcontainer.json .gitpod.yml .gitpod/ .replit .idx/
"""

AGENTS = """
    agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md replit.md
    copilot-instructions.md .agent/ .agents/ .claude/ .claude.json .codex/ .gemini/ .qwen/ .opencode/
    opencode.json opencode.jsonc .cursor/ .cursorrules .cursorignore .windsurf/ .windsurfrules .cline/
    .clinerules/ .roo/ .roorules .roorules-* .roomodes .kilocode/ .crush/ .crush.json crush.json .goose/
    .goosehints .aider* .continue/ .continuerules .continuerc.json .augment/ .augment-guidelines
    .amazonq/ .amp/ .trae/ .kiro/ .junie/ .factory/ .openhands/ .warp/ .rules .mcp.json mcp.json
    .wakeful/
"""

TABLE = NameTable(
    " ".join((SHELLS, GIT, PACKAGES, INTERPRETERS, RECIPES, AUTOSTART, SERVICES, EDITORS, AGENTS))
)

PLAIN_NAMES = tuple(plain_rows(TABLE))
"""The rows without wildcards, for whoever protects them one by one, such as the sandbox."""


def obeyed_part(parts: Sequence[str]) -> str:
    """The part of a path that other programs obey; empty for an ordinary file.

    Every row holds at any depth: a workspace may contain repositories and packages, or be a home folder.
    """
    return TABLE.find(parts)
