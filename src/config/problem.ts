import { QuerentError } from '../core/errors.ts'

/** One thing to correct: where it stands (`querent.yml:12:3`, `.env:2`, a variable), and what to write instead. */
export interface Problem {
  readonly where: string
  readonly message: string
}

/** All problems in one error, one a line, so that a person corrects them in one go. */
export const badConfiguration = (problems: readonly Problem[]): QuerentError => {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  const lines = problems.map(({ where, message }) => `  ${where}: ${message}`)
  return new QuerentError('bad-configuration', `The configuration has ${count}:\n${lines.join('\n')}`)
}
