import fc from 'fast-check'
import { dialectNames } from '../../../../src/sql/dialects.ts'
import { sqlTokens } from '../../../../src/sql/parse/sql-tokens.ts'
import { harmless, hostile, type Statement } from './fuzz-corpus.ts'

const words =
  `SELECT FROM WHERE WITH RECURSIVE AS UNION ALL EXCEPT NOT LIKE GLOB IN IS NULL CASE WHEN THEN END VALUES
  ORDER BY GROUP HAVING LIMIT OFFSET OVER PARTITION FILTER LATERAL JOIN ON USING EXISTS CAST INTERVAL DISTINCT DELETE
  INSERT INTO UPDATE SET TABLE PIVOT QUALIFY FOR t a b count`.split(/\s+/)

const signs =
  `' " \` [ ] ( ) { } -- /* */ /*! */ ; , . $$ $1 ? : :: := @ @@ # \\ || -> ->> => * + - % = <> <=> 1 1.5e3 0x1f
  'x' "y" \`z\` e'\\'' U&"a" N'x' X'00'`.split(/\s+/)

/** Letters that look like others, signs without a width, and blanks that are none to a server. */
const confusables = [
  'ѕ',
  'е',
  'ſ',
  'K',
  '；',
  '＇',
  '’',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00a0',
  '\u2028',
  '\0',
  '\r',
  '\u202e',
  '𝐒',
  '\ud800',
]

/** Any pieces of SQL one behind the other, in any dialect. */
export const tokenSoup: fc.Arbitrary<Statement> = fc.record({
  dialect: fc.constantFrom(...dialectNames),
  sql: fc
    .record({
      pieces: fc.array(fc.constantFrom(...words, ...signs, ...confusables), { maxLength: 40 }),
      glue: fc.constantFrom(' ', '', '\n'),
      start: fc.constantFrom('', 'SELECT ', 'SELECT * FROM t WHERE '),
    })
    .map(({ pieces, glue, start }) => start + pieces.join(glue)),
})

const steps = {
  splice: (sql, at, other) => sql.slice(0, at) + other.slice(at % (other.length + 1)) + sql.slice(at),
  drop: (sql, at) => sql.slice(0, at) + sql.slice(at + 1 + (at % 5)),
  comment: (sql, at) => `${sql.slice(0, at)}/* ${at % 2 === 0 ? '*/' : '-- '}${sql.slice(at)}`,
  case: (sql, at) => sql.slice(0, at).toUpperCase() + sql.slice(at).toLowerCase(),
  confuse: (sql, at) => sql.slice(0, at) + confusables[at % confusables.length] + sql.slice(at),
  brackets: (sql, at) => '('.repeat(at % 400) + sql + ')'.repeat(at % 400),
  nest: (sql, at) => `${'SELECT * FROM ('.repeat(at % 60)}${sql}${') AS x'.repeat(at % 60)}`,
  lengthen: (sql, at) => `${sql} ${'AND a = 1 '.repeat((at * 37) % 2500)}`,
  unquote: (sql, at) => sql.replaceAll(at % 2 === 0 ? "'" : '"', ''),
} as const satisfies Record<string, (sql: string, at: number, other: string) => string>

/** Statements of the corpora, changed once or a few times without any respect for grammar. */
export const mutatedStatement: fc.Arbitrary<Statement> = fc
  .record({
    first: fc.constantFrom(...harmless, ...hostile),
    other: fc.constantFrom(...harmless, ...hostile),
    changes: fc.array(
      fc.record({
        step: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
        at: fc.nat(2000),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ first, other, changes }) => ({
    dialect: first.dialect,
    sql: changes.reduce((sql, { step, at }) => steps[step](sql, at % (sql.length + 1), other.sql), first.sql),
  }))

const blanks = ['\n', ' ', '\t', ' /* x */ ', ' /**/ ', ' -- x\n'] as const

/** Hostile statements that say the same in another way: words in another case, more blanks and comments between them. */
export const disguisedHostile: fc.Arbitrary<Statement> = fc
  .record({
    statement: fc.constantFrom(...hostile),
    blank: fc.constantFrom(...blanks),
    upper: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    every: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ statement: { sql, dialect }, blank, upper, every }) => {
    const cut = sqlTokens(sql, dialect)
    if (!cut.ok) return { sql, dialect }
    let end = 0
    let text = ''
    for (const [at, token] of cut.tokens.entries()) {
      const gap = sql.slice(end, token.start)
      const word = token.kind === 'word' && upper[at % upper.length] ? swapCase(token.text) : token.text
      // Only where there is a blank already: in between, two signs may be one.
      text += gap + (gap !== '' && at % every === 0 ? blank : '') + word
      end = token.end
    }
    return { dialect, sql: text + sql.slice(end) }
  })

const swapCase = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()
