/** A statement as the Postgres behind the double takes it, or the error that Redshift would give. */
export type Translated =
  | { readonly kind: 'run'; readonly sql: string }
  | { readonly kind: 'refuse'; readonly code: string; readonly message: string }

interface Piece {
  readonly kind: 'string' | 'name' | 'space' | 'word' | 'sign'
  readonly text: string
}

const pieces =
  /(?<string>'(?:[^'\\]|\\[\s\S]|'')*')|(?<name>"(?:[^"]|"")*")|(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<sign>[\s\S])/gu

const cut = (sql: string): readonly Piece[] =>
  [...sql.matchAll(pieces)].map(({ groups = {}, 0: text }) => ({
    kind: (Object.keys(groups) as Piece['kind'][]).find(kind => groups[kind] !== undefined) ?? 'sign',
    text,
  }))

/** Words in front of a bracket that are no call. */
const grammar = new Set(
  `in exists and or not any some all as on using over by from join select where values with union except intersect
   when then else case having limit group order partition within numeric decimal varchar char character varying
   bpchar nvarchar nchar timestamp time interval into create table insert numbers between like ilike
   distinct endless column add index view sets rollup cube top pivot filter explain`.split(/\s+/),
)

/** Functions that Redshift's manual describes, among those that the tests call. */
const documented = new Set(
  `count sum avg min max median listagg stddev variance percentile_cont approximate row_number rank lag lead
   coalesce nvl nullif greatest least cast abs ceil floor round trunc mod power sqrt len length lower upper trim btrim
   ltrim rtrim substring left right replace repeat concat strpos charindex split_part to_char to_date extract
   date_trunc date_part dateadd datediff getdate convert_timezone last_day json_parse json_serialize sha2 md5
   json_extract_path_text st_geomfromtext to_varbyte from_varbyte version current_schemas pg_backend_pid
   pg_cancel_backend has_table_privilege has_schema_privilege quote_ident set_config`.split(/\s+/),
)

/** What Postgres has and Redshift's manual does not, in statements without their texts. */
const unsupported: readonly (readonly [RegExp, string, string])[] = [
  [/\bfilter \(/, '42601', 'syntax error at or near "("'],
  [/\bdistinct on\b/, '0A000', 'SELECT DISTINCT ON is not supported'],
  [/\blateral\b/, '42601', 'syntax error at or near "lateral"'],
  [/\bis (?:not )?distinct from\b/, '42601', 'syntax error at or near "distinct"'],
  [/\bfetch (?:first|next)\b/, '42601', 'syntax error at or near "fetch"'],
  [/\btablesample\b/, '42601', 'syntax error at or near "tablesample"'],
  [/\bfrom \( ?values\b/, '42601', 'syntax error at or near "values"'],
  [/\barray ?\[/, '0A000', 'ARRAY is not supported'],
  [/\b(?:e|b|x|n) ?''/, '42704', 'type "e" does not exist'],
  [/\$\w*\$/, '42601', 'syntax error at or near "$"'],
  [/\bfor (?:update|share)\b/, '0A000', 'SELECT FOR UPDATE is not supported'],
  [/\bon conflict\b|\breturning\b/, '42601', 'syntax error at or near "returning"'],
  [/:: ?(?:jsonb?|uuid|bytea|money|inet|xml|hstore)\b/, '42704', 'type does not exist'],
  [/\bcast \( ?\w+ as boolean\b.*varchar/, '42846', 'cannot cast type boolean to character varying'],
  [/\bsavepoint\b|\bprepare transaction\b/, '0A000', 'SAVEPOINT is not supported'],
]

/** Settings that Redshift's manual lists, and what Postgres calls those that it lacks. */
const settings: Readonly<Record<string, string>> = {
  statement_timeout: 'statement_timeout',
  query_group: 'redshift.query_group',
  datestyle: 'datestyle',
  timezone: 'timezone',
}

/** Statements that Postgres runs or refuses by itself: the read-only transaction is what they must not get past. */
const known =
  /^(?:select|with|\(|insert|update|delete|truncate|create (?:table|view|schema|user)|drop|alter|grant|revoke|comment|vacuum|analyze|lock|commit|set transaction|explain)/

/** Redshift's own statements, which only ever reach the server if nothing in front of it refused them. */
const foreign =
  /^(?:unload|copy|call|create (?:model|external|library|function|procedure|materialized)|cancel|merge|show|fetch)\b/

const refuse = (code: string, message: string): Translated => ({ kind: 'refuse', code, message })

/** A text in which a backslash escapes, for a server in which it does not. */
const plainText = (text: string): string => {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
  const value = text.slice(1, -1).replace(/\\([\s\S])/g, (_, letter: string) => {
    const meant = escapes[letter] ?? letter
    return meant === "'" ? "''" : meant
  })
  return `'${value}'`
}

/** The part of the text that rules look at: words in lower case, texts emptied, one space between. */
const outline = (cutUp: readonly Piece[]): string =>
  cutUp
    .map(({ kind, text }) =>
      kind === 'string' ? "''" : kind === 'name' ? '""' : kind === 'space' ? ' ' : text.toLowerCase(),
    )
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/ ?\( ?/g, ' (')
    .trim()

const dateParts = /^(?:millisecond|second|minute|hour|day|week|month|quarter|year)s?$/i

const unknownCall = (cutUp: readonly Piece[]): string | null => {
  for (const [at, { kind, text }] of cutUp.entries()) {
    if (kind !== 'word') continue
    const next = cutUp.slice(at + 1).find(piece => piece.kind !== 'space')
    const before = cutUp.slice(0, at).findLast(piece => piece.kind !== 'space')
    if (next?.text !== '(' || /^(?:as|table|into|view|with|recursive)$/i.test(before?.text ?? '')) continue
    const name = text.toLowerCase()
    if (!grammar.has(name) && !documented.has(name)) return name
  }
  return null
}

/** Checks one statement against Redshift's manual and writes it for Postgres. */
export const translate = (sql: string): Translated => {
  const cutUp = cut(sql)
  const text = outline(cutUp)
  if (text === '' || text === 'begin read only' || text === 'rollback') return { kind: 'run', sql }
  const setting = /^set local (\w+) ?(?:=|to) ?/.exec(text)?.[1]
  if (setting !== undefined) {
    const name = settings[setting]
    return name === undefined
      ? refuse('42704', `unrecognized configuration parameter "${setting}"`)
      : { kind: 'run', sql: sql.replace(new RegExp(setting, 'i'), name) }
  }
  if (foreign.test(text)) throw new Error(`this must not reach the server: ${sql}`)
  const rule = unsupported.find(([pattern]) => pattern.test(text))
  if (rule !== undefined) return refuse(rule[1], rule[2])
  const call = unknownCall(cutUp)
  if (call !== null) return refuse('42883', `function ${call}(unknown) does not exist`)
  if (!known.test(text)) return refuse('42601', `syntax error at or near "${text.split(' ')[0]}"`)
  const written = cutUp
    .map(({ kind, text: piece }, at) => {
      if (kind === 'string') return plainText(piece)
      const isFirstArgument = /\b(?:dateadd|datediff)\s*\(\s*$/i.test(
        cutUp
          .slice(0, at)
          .map(part => part.text)
          .join('')
          .slice(-40),
      )
      return kind === 'word' && isFirstArgument && dateParts.test(piece) ? `'${piece.toLowerCase()}'` : piece
    })
    .join('')
    .replace(
      /\blistagg\s*\(([^()]*)\)\s*within\s+group\s*\(\s*order\s+by\s+([^()]*)\)/gi,
      'string_agg($1 order by $2)',
    )
    .replace(/\bapproximate\s+count/gi, 'count')
    .replace(/\bmedian\s*\(([^()]*)\)/gi, 'percentile_cont(0.5) within group (order by $1)')
  return text.startsWith('explain ')
    ? {
        kind: 'run',
        sql: `select * from redshift_double.explain($explain$${written.replace(/^\s*explain\s/i, '')}$explain$)`,
      }
    : { kind: 'run', sql: written }
}

/** The statements of one message of the simple protocol. */
export const splitStatements = (sql: string): readonly string[] => {
  const parts = ['']
  for (const { kind, text } of cut(sql))
    if (kind === 'sign' && text === ';') parts.push('')
    else parts.push(parts.pop() + text)
  return parts.filter(part => part.trim() !== '')
}
