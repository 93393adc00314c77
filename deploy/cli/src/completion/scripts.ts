/** The words that may follow a command: its subcommands, or its options. */
export interface Choices {
  /** `workspaces budgets`; empty: nothing has been typed yet. */
  readonly place: string;
  readonly words: readonly string[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The script that makes a shell complete the words of `sluice`. */
export function completionScript(shell: Shell, choices: readonly Choices[]): string {
  switch (shell) {
    case 'bash':
      return bash(choices);
    case 'zsh':
      return zsh(choices);
    case 'fish':
      return fish(choices);
  }
}

const placesOf = (choices: readonly Choices[]) =>
  choices.map(({ place }) => place).filter((place) => place !== '');

/** Moves to another place only if the two words together name a command. */
const step = (choices: readonly Choices[]) =>
  placesOf(choices)
    .map((place) => `'${place}'`)
    .join('|');

function bash(choices: readonly Choices[]): string {
  return `# eval "$(sluice completion bash)"
_sluice() {
  local current=\${COMP_WORDS[COMP_CWORD]} place='' next word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next=\${place:+$place }$word
    case $next in ${step(choices)}) place=$next ;; esac
  done
  case $place in
${choices.map(({ place, words }) => `    '${place}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _sluice sluice`;
}

function zsh(choices: readonly Choices[]): string {
  return `#compdef sluice
# source <(sluice completion zsh)
_sluice() {
  local place='' next word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next=\${place:+$place }$word
    case $next in ${step(choices)}) place=$next ;; esac
  done
  case $place in
${choices.map(({ place, words }) => `    '${place}') choices=(${words.join(' ')}) ;;`).join('\n')}
  esac
  compadd -- $choices
}
compdef _sluice sluice`;
}

function fish(choices: readonly Choices[]): string {
  return `# sluice completion fish | source
function __sluice_at
  set -l place ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$place $word")
    if contains -- $next ${placesOf(choices)
      .map((place) => `'${place}'`)
      .join(' ')}
      set place $next
    end
  end
  test "$place" = "$argv[1]"
end
complete -c sluice -f
${choices
  .map(
    ({ place, words }) => `complete -c sluice -n "__sluice_at '${place}'" -a '${words.join(' ')}'`,
  )
  .join('\n')}`;
}
