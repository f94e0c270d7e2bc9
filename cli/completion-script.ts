/** What can follow each command line, by its names: `ledger` → `show`, `verify`; `ledger show` → `--json`. */
export type CommandWords = ReadonlyMap<string, readonly string[]>;

/** A script that completes the names of commands and options, and files everywhere else. */
export function completionScript(shell: 'bash' | 'zsh', words: CommandWords): string {
  const longestFirst = [...words].sort(([one], [other]) => other.length - one.length);
  const cases = longestFirst.map(([names, next]) => `    ${names && `'${names} '`}*) words='${next.join(' ')}' ;;`);
  return shell === 'zsh' ? `${ZSH}\n${bash(cases)}` : bash(cases);
}

/** A plain zsh completes nothing until it is asked to. */
const ZSH = `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit`;

/** The function for bash, which zsh can load as well: the longest command before the word says what follows. */
const bash = (cases: readonly string[]): string => `_opaline() {
  local words
  case "\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))} " in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[$COMP_CWORD]}"))
}
complete -o default -F _opaline opaline`;
