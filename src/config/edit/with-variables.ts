import { parseEnv } from 'node:util'
import { QuerentError } from '../../core/errors.ts'

const envPreface =
  '# Secrets of Querent: for you alone, and never to be committed. .env.example has all that there are.\n'

/**
 * The text of a `.env` with these variables in it; a variable that is null is taken out. Lines of others stay as they are.
 * `text`: the file as it is, null where there is none. Throws `QuerentError('bad-configuration')` where the file could
 * not be read back as meant: a value over several lines stands in the way, say.
 */
export const setVariables = (
  text: string | null,
  variables: Readonly<Record<string, string | null>>,
): string => {
  const before = text ?? envPreface
  const lines = before.replace(/\n$/, '').split('\n')
  for (const [name, value] of Object.entries(variables)) {
    const isIt = (line: string) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)
    // The last one counts, as it does for parseEnv; earlier ones would only mislead.
    const at = lines.findIndex(isIt)
    const rest = lines.filter(line => !isIt(line))
    const written = value === null ? [] : [`${name}=${quoted(name, value)}`]
    lines.splice(0, lines.length, ...rest)
    lines.splice(at === -1 ? lines.length : at, 0, ...written)
  }
  const after = `${lines.join('\n')}\n`
  const meant: Record<string, string | null | undefined> = { ...parseEnv(before), ...variables }
  const read = parseEnv(after)
  for (const [name, value] of Object.entries(meant))
    if ((read[name] ?? null) !== value) throw unreadable(name)
  return after
}

/** Bare where that is unmistakable, else in the quotes that do not occur in it. */
const quoted = (name: string, value: string): string => {
  if (/^[\w.:/@%+,;=?&~*!^-]+$/.test(value)) return value
  const quote = ["'", '`', '"'].find(mark => !value.includes(mark))
  if (quote === undefined || /[\r\n]/.test(value)) throw unreadable(name)
  return `${quote}${value}${quote}`
}

const unreadable = (name: string): QuerentError =>
  new QuerentError(
    'bad-configuration',
    `${name} cannot be written into .env as it is; write it there by hand`,
  )
