import { listWith } from './phrases.ts'

/** What is wrong with `--strategy` and `--set`. */
export const strategyCopy = {
  unknownStrategy: (name: string, known: readonly string[]): string =>
    `There is no strategy “${name}”. Use ${listWith('or', known)}.`,
  needsSeveral:
    'eval compare needs at least two different strategies: --strategies adaptive,mac-sql, or --strategies all.',
  noSettings: (name: string): string =>
    `The strategy ${name} has no settings of its own. Leave out --set, or choose another --strategy.`,
  notASetting: (text: string): string => `--set takes NAME=VALUE, not “${text}”. For example: --set shots=1`,
  wrongSetting: (name: string, problem: string, known: readonly string[]): string =>
    `A setting of ${name} is wrong.\n${problem}\nIt has these settings: ${known.join(', ')}.`,
} as const
