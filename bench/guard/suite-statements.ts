import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A query of a server's own test suite. */
export interface SuiteStatement {
  readonly sql: string
  readonly file: string
  /** True if the suite says that the server takes it for a syntax error. */
  readonly isSyntaxError: boolean
}

/** What a checkout of a suite holds. */
export interface Suite {
  readonly statements: readonly SuiteStatement[]
  /** Functions, types and macros that the suite itself creates, in lower case. */
  readonly created: ReadonlySet<string>
}

/** The suites that can be read, by the dialect they are for. */
export type SuiteName = 'postgres' | 'mysql' | 'sqlite' | 'duckdb'

interface Piece {
  readonly sql: string
  readonly isSyntaxError: boolean
}

/** Reads every `every`th file of a suite, from the `offset`th on. All files tell what the suite creates. */
export const readSuite = (
  name: SuiteName,
  folder: string,
  { every, offset }: { readonly every: number; readonly offset: number },
): Suite => {
  const { ending, pieces } = formats[name]
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => ending.test(file))
    .toSorted()
  const created = new Set<string>()
  const statements: SuiteStatement[] = []
  const seen = new Set<string>()
  for (const [at, file] of files.entries()) {
    const text = readFileSync(join(folder, file), 'latin1')
    for (const made of text.matchAll(definition)) created.add((made[1] ?? '').toLowerCase())
    if (at % every !== offset) continue
    for (const { sql, isSyntaxError } of pieces(Buffer.from(text, 'latin1').toString('utf8'))) {
      const plain = sql.trim()
      if (!isQuery(plain) || seen.has(plain)) continue
      seen.add(plain)
      statements.push({ sql: plain, file, isSyntaxError })
    }
  }
  return { statements, created }
}

/** All that each file of a suite says, in its order: what it makes, and its queries. */
export const readSuiteFiles = (
  name: SuiteName,
  folder: string,
): readonly {
  readonly file: string
  readonly made: readonly string[]
  readonly queries: readonly string[]
}[] => {
  const { ending, pieces } = formats[name]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => ending.test(file))
    .toSorted()
    .map(file => {
      const all = pieces(readFileSync(join(folder, file), 'utf8')).map(({ sql }) => sql.trim())
      return { file, made: all.filter(makesData), queries: all.filter(isQuery) }
    })
}

const makesData = (sql: string): boolean =>
  /^(?:create\s+(?:or\s+replace\s+)?(?:unlogged\s+|unique\s+|materialized\s+|virtual\s+)*(?:table|view|index|type|domain|sequence)|insert\s+(?:or\s+\w+\s+|ignore\s+)?into|alter\s+table)\b/i.test(
    sql,
  )

const definition =
  /\bcreate\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:aggregate\s+)?(?:function|type|macro|domain|aggregate|procedure)\s+(?:if\s+not\s+exists\s+)?(?:["`\w]+\.)?["`]?(\w+)/gi

const isQuery = (sql: string): boolean => /^(?:select|with|values|\(\s*select|from)\b/i.test(sql)

const plainPiece = (sql: string): Piece => ({ sql, isSyntaxError: false })

/** Cuts a script at its semicolons, outside quotes and comments. */
const cutAtSemicolons = (text: string, backslashes: boolean): readonly string[] => {
  const parts: string[] = []
  let from = 0
  let at = 0
  const skipTo = (close: string, start: number): number => {
    for (let end = start; end < text.length; end += 1) {
      if (backslashes && close.length === 1 && text[end] === '\\') end += 1
      else if (text.startsWith(close, end)) return end + close.length
    }
    return text.length
  }
  while (at < text.length) {
    const char = text[at] as string
    const dollar = backslashes ? null : /^\$(?:[A-Za-z_]\w*)?\$/.exec(text.slice(at, at + 40))?.[0]
    if (text.startsWith('--', at)) at = skipTo('\n', at)
    else if (text.startsWith('/*', at)) at = skipTo('*/', at + 2)
    else if (dollar) at = skipTo(dollar, at + dollar.length)
    else if (/['"`]/.test(char)) at = skipTo(char, at + 1)
    else if (char === ';') {
      parts.push(text.slice(from, at))
      at += 1
      from = at
    } else at += 1
  }
  return [...parts, text.slice(from)].map(withoutLeadingComments)
}

const withoutLeadingComments = (sql: string): string =>
  sql.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*(?!!)[\s\S]*?\*\/)+/, '')

const postgresPieces = (text: string): readonly Piece[] =>
  cutAtSemicolons(
    text.replace(/^\\.*$/gm, ';').replace(/\\(?:g\w*|;|crosstabview|watch|bind).*$/gm, ';'),
    false,
  )
    // Variables of psql are filled in before the server sees them.
    .filter(sql => !/(?<![:\w\])'"]):['"]?[a-z_]\w*/i.test(sql))
    .map(plainPiece)

const mysqlPieces = (text: string): readonly Piece[] => {
  const pieces: Piece[] = []
  let isSyntaxError = false
  let body: string[] = []
  let delimiter = ';'
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    const ended = /^(?:--\s*)?delimiter\s+(\S+)/i.exec(trimmed)?.[1]
    if (ended !== undefined) delimiter = ended.length > 1 && ended !== ';' ? ended.replace(/;$/, '') : ended
    if (body.length === 0) {
      if (/^--\s*error\b|^error\b/i.test(trimmed)) {
        isSyntaxError = /\b(?:1064|1149|er_parse_error|er_syntax_error)\b/i.test(trimmed)
        continue
      }
      if (trimmed === '' || /^(?:#|--)/.test(trimmed) || ended !== undefined) continue
    }
    body.push(line)
    if (!trimmed.endsWith(delimiter)) continue
    const sql = body.join('\n').trim().slice(0, -delimiter.length)
    // `$name` is a variable of the test language.
    if (!/\$\w/.test(sql))
      for (const part of cutAtSemicolons(sql, true)) pieces.push({ sql: part, isSyntaxError })
    body = []
    isSyntaxError = false
  }
  return pieces
}

const sqlitePieces = (text: string): readonly Piece[] => {
  const pieces: Piece[] = []
  for (const command of text.matchAll(
    /\b(?:execsql|catchsql|db eval|do_execsql_test(?:\s+-\w+)*\s+\S+|do_catchsql_test\s+\S+|do_eqp_test\s+\S+)\s*\{/g,
  )) {
    const open = command.index + command[0].length
    const close = bracesEnd(text, open)
    const expected = text.slice(close + 1, close + 160)
    // Parameters of the test language stand for values.
    const isPlain = (sql: string): boolean => !/[$[\]]\w|[?:@]\w/.test(sql)
    for (const sql of cutAtSemicolons(text.slice(open, close), false))
      if (isPlain(sql))
        pieces.push({
          sql,
          isSyntaxError: /^\s*\{\s*1\s.*(?:syntax error|unrecognized token)/s.test(expected),
        })
  }
  return pieces
}

const bracesEnd = (text: string, from: number): number => {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

const duckdbPieces = (text: string): readonly Piece[] => {
  const pieces: Piece[] = []
  for (const block of text.split(/\r?\n\s*\r?\n/)) {
    const [head, rest] = splitOnce(block, /^(?:statement|query)\b.*$/m)
    if (head === null) continue
    const [sql, expected] = splitOnce(rest, /^----.*$/m)
    // Loops of the test language fill these in.
    if (/\{\w+\}/.test(rest)) continue
    const isSyntaxError =
      /^statement error/.test(head) && /parser error|syntax error|not (?:yet )?supported/i.test(expected)
    for (const part of cutAtSemicolons(sql ?? rest, false)) pieces.push({ sql: part, isSyntaxError })
  }
  return pieces
}

/** What stands before and after the first match; for the head of a block, the match itself and what follows. */
const splitOnce = (text: string, pattern: RegExp): readonly [string | null, string] => {
  const match = pattern.exec(text)
  if (match === null) return [null, text]
  const isHead = /^(?:statement|query)/.test(match[0])
  return [isHead ? match[0] : text.slice(0, match.index), text.slice(match.index + match[0].length)]
}

const formats: Readonly<
  Record<SuiteName, { readonly ending: RegExp; readonly pieces: (text: string) => readonly Piece[] }>
> = {
  postgres: { ending: /\.sql$/, pieces: postgresPieces },
  mysql: { ending: /\.(?:test|inc)$/, pieces: mysqlPieces },
  sqlite: { ending: /\.test$/, pieces: sqlitePieces },
  duckdb: { ending: /\.test(?:_slow)?$/, pieces: duckdbPieces },
}
