import type { Option } from 'commander'
import { optionHelp, programHelp } from '../../../src/cli/copy/help.ts'
import { type CommandEntry, groupHelp, listCommands } from '../../../src/cli/program/command-list.ts'
import { asSentence, asText, linkPages, pageStart, table } from './markdown.ts'

/** The page of all commands, from what `--help` is made of. */
export const commandLinePage = (): string =>
  [
    ...pageStart(
      'Command line',
      'In a clone, type `npm run -s querent --` before a command; in a folder with the package, `npx querent`. ' +
        '`querent COMMAND --help` shows the same as this page.',
    ),
    ...byGroup(listCommands()).flatMap(groupLines),
    '',
    '## Notes',
    '',
    '```text',
    programHelp.notes.trim(),
    '```',
    '',
  ].join('\n')

/** Commands of a group are together, as in `--help`. */
const byGroup = (commands: readonly CommandEntry[]): readonly (readonly CommandEntry[])[] => [
  ...Map.groupBy(commands, ({ path }) => path.split(' ')[0] ?? '').values(),
]

const groupLines = (commands: readonly CommandEntry[]): readonly string[] => {
  const [word = '', subword] = commands[0]?.path.split(' ') ?? []
  if (subword === undefined) return commands.flatMap(command => commandLines(command, '##'))
  return [
    '',
    `## ${word}`,
    '',
    format(groupHelp[word] ?? ''),
    ...commands.flatMap(command => commandLines(command, '###')),
  ]
}

const commandLines = (
  { path, help, args = [], options = [], hasNoJson }: CommandEntry,
  heading: string,
): readonly string[] => {
  const rows = [
    ...args.map(([usage, about]) => [`\`${usage}\``, format(about)]),
    ...options.map(option => [`\`${option.flags}\``, format(describe(option))]),
    ...(hasNoJson ? [] : [['`--json`', format(optionHelp.json)]]),
  ]
  const usage = [
    'querent',
    path,
    ...args.map(([usage]) => usage),
    ...options.filter(isMandatory).map(flagsOf),
  ]
  return [
    '',
    `${heading} ${path}`,
    '',
    format(help),
    '',
    '```text',
    `${usage.join(' ')}${rows.length > args.length ? ' [options]' : ''}`,
    '```',
    ...(rows.length === 0 ? [] : ['', ...table(['argument or option', 'meaning'], rows)]),
  ]
}

const isMandatory = (option: Option): boolean => option.mandatory

const flagsOf = (option: Option): string => option.flags

const describe = ({ description, mandatory, defaultValue }: Option): string =>
  [
    description,
    ...(mandatory ? ['(required)'] : []),
    ...(defaultValue === undefined || defaultValue === true ? [] : [`(default: ${defaultValue})`]),
  ].join(' ')

const format = (text: string): string => linkPages(asSentence(asText(text)))
