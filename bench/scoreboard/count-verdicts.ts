import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `count-verdicts.ts NAME=allow|refuse:FILE...`: sends the statements of JSON-lines files through `querent guard` and prints
 * `{NAME: {statements, wrong, ids}}`; a name may come several times. A line is a statement (`sql`) or a question with known
 * answers (`gold`, `alternatives`); lines with `excluded` do not count.
 */
interface Line {
  readonly id?: string
  readonly sql?: string
  readonly gold?: string | null
  readonly alternatives?: readonly string[]
  readonly excluded?: string | null
  readonly dialect?: string
}

const { positionals } = parseArgs({ options: {}, allowPositionals: true })

const statements = positionals.flatMap(argument => {
  const [, name, expected, path] = /^([a-z-]+)=(allow|refuse):(.+)$/.exec(argument) ?? []
  if (name === undefined || path === undefined)
    throw new Error(`${argument} is not of the form NAME=allow:FILE or NAME=refuse:FILE`)
  return readFileSync(resolve(process.env.INIT_CWD ?? '.', path), 'utf8')
    .split('\n')
    .filter(text => text.trim() !== '')
    .map(text => JSON.parse(text) as Line)
    .flatMap((line, at) =>
      (line.excluded ?? null) === null
        ? [line.sql ?? line.gold, ...(line.alternatives ?? [])].flatMap(sql =>
            sql ? [{ name, expected, id: `${path} ${line.id ?? at + 1}`, sql, dialect: line.dialect }] : [],
          )
        : [],
    )
})

const guard = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../src/cli.ts'), 'guard'],
  { stdio: ['pipe', 'pipe', 'inherit'] },
)
guard.stdin.end(
  statements.map(({ id, sql, dialect }) => `${JSON.stringify({ id, sql, dialect })}\n`).join(''),
)
let out = ''
for await (const chunk of guard.stdout) out += String(chunk)
const verdicts = out
  .trim()
  .split('\n')
  .map(text => JSON.parse(text) as { id: string; verdict: string })
// A verdict that is missing must not pass for a right one.
if (verdicts.length !== statements.length)
  throw new Error(`${statements.length} statements, but ${verdicts.length} verdicts`)
const judged = statements.map((statement, at) => ({ ...statement, verdict: verdicts[at]!.verdict }))
const counts = [...Map.groupBy(judged, ({ name }) => name)].map(([name, all]) => {
  const wrong = all.filter(({ verdict, expected }) => verdict !== expected)
  return [name, { statements: all.length, wrong: wrong.length, ids: wrong.map(({ id }) => id) }]
})
console.log(JSON.stringify(Object.fromEntries(counts)))
