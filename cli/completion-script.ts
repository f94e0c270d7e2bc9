export type Shell = 'bash' | 'zsh';

/** What can follow each command line, by its names: `ledger` → `show`, `verify`; `ledger show` → `--json`. */
export type CommandWords = ReadonlyMap<string, readonly string[]>;

/** A script that completes the names of commands and options, and files everywhere else. */
export function completionScript(shell: Shell, words: CommandWords): string {
  const cases = [...words].map(([names, next]) => `      '${names}') words='${next.join(' ')}' ;;`);
  return shell === 'zsh' ? `${ZSH}\n${bash(cases)}` : bash(cases);
}

/** A plain zsh completes nothing until it is asked to. */
const ZSH = `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit`;

/** The function for bash, which zsh can load as well: the longest run of words that is a command says what follows. */
const bash = (cases: readonly string[]): string => `_opaline() {
  local line="" word words="" index=1
  while [ $index -lt $COMP_CWORD ]; do
    word="\${COMP_WORDS[$index]}"; index=$((index + 1))
    case "$word" in -*) ;; *) line="\${line:+$line }$word" ;; esac
  done
  while :; do
    case "$line" in
${cases.join('\n')}
    esac
    [ -n "$words" ] && break
    case "$line" in *" "*) line="\${line% *}" ;; *) break ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[$COMP_CWORD]}"))
}
complete -o default -F _opaline opaline`;
