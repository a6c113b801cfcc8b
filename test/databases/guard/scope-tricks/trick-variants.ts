/** Names that a server may take for another one, and places in a statement where it can stand. */
interface VariantRules {
  /** Spellings of a name that some server, collation or setting reads as the name itself. */
  readonly spellings: (name: string) => readonly string[]
  /** How a name is quoted. */
  readonly quote: (name: string) => string
}

const capitals = (name: string): string => name.toUpperCase()

const initial = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ê', i: 'ï', o: 'ö', u: 'ū', c: 'ç' }

/** The first letter that can have an accent gets one; combined, or as a letter and a mark. */
const accented = (name: string): readonly string[] => {
  const at = [...name].findIndex(letter => accents[letter] !== undefined)
  if (at < 0) return []
  const one = name.slice(0, at) + (accents[name[at] ?? ''] ?? '') + name.slice(at + 1)
  return [one, one.normalize('NFD')]
}

const wide = (name: string): string =>
  name.replaceAll(/[a-z]/g, letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))

const backticks = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const doubleQuotes = (name: string): string => `"${name.replaceAll('"', '""')}"`

const commonSpellings = (name: string): readonly string[] => [
  name,
  capitals(name),
  initial(name),
  ...accented(name),
  wide(name),
  name.replaceAll('s', 'ſ'),
  name.replace(/s$/, 'ß'),
  name.replaceAll('s', 'ß'),
  `${name} `,
  ` ${name}`,
  `${name}\u00a0`,
  `${name}\u200b`,
  `${name}s`,
]

const rulesOf: Readonly<Record<string, VariantRules>> = {
  mysql: { spellings: commonSpellings, quote: backticks },
  postgres: { spellings: commonSpellings, quote: doubleQuotes },
  sqlite: { spellings: commonSpellings, quote: doubleQuotes },
  duckdb: { spellings: commonSpellings, quote: doubleQuotes },
}

/** Statements that hide a table or a column of the lists behind a name that is nearly the same. */
export const generatedTricks = (server: string): readonly string[] => {
  const rules = rulesOf[server]
  if (rules === undefined) return []
  const of = (name: string): readonly string[] => rules.spellings(name).map(rules.quote)
  return [
    ...of('salaries').flatMap(name => shadowTable(name, 'salaries')),
    ...of('customers').flatMap(name => shadowTable(name, 'customers')),
    ...of('c').flatMap(shadowAlias),
    ...of('customers').flatMap(shadowTableName),
    ...of('email').flatMap(shadowColumn),
    ...of('ssn').flatMap(readMasked),
  ]
}

/** A WITH query nearly called like a table. */
const shadowTable = (name: string, table: string): readonly string[] => {
  const column = table === 'salaries' ? 'bank' : 'email'
  return [
    `WITH ${name} AS (SELECT 1 AS id, 2 AS ${column}) SELECT * FROM ${table}`,
    `WITH ${name} AS (SELECT 1 AS id, 2 AS ${column}) SELECT ${column} FROM ${table} ORDER BY 1`,
    `WITH ${name} AS (SELECT 1 AS ${column}) SELECT x.${column} FROM ${table} AS x`,
    `WITH ${name} AS (SELECT 1 AS ${column}) SELECT count(*) FROM ${table} WHERE ${column} > 'm'`,
    `WITH ${name} AS (SELECT 1 AS ${column}) SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM ${table} s WHERE s.${column} LIKE 'b%' AND s.id = o.id)`,
    `WITH RECURSIVE x AS (SELECT ${column} FROM ${table}), ${name} AS (SELECT 1 AS ${column}) SELECT * FROM x`,
    `WITH ${table} AS (SELECT 1 AS ${column}) SELECT ${column} FROM ${name}`,
    `SELECT * FROM (WITH ${name} AS (SELECT 1 AS ${column}) SELECT ${column} FROM ${table}) AS y`,
    `WITH ${name} AS (SELECT 1 AS ${column}) SELECT * FROM (WITH y AS (SELECT ${column} FROM ${name}) SELECT * FROM y) AS z`,
    `WITH ${name} AS (SELECT 1 AS ${column}) SELECT (WITH y AS (SELECT max(${column}) AS m FROM ${name}) SELECT m FROM y)`,
  ]
}

/** A derived table whose alias is nearly that of the table outside. */
const shadowAlias = (alias: string): readonly string[] => [
  `SELECT (SELECT c.email FROM (SELECT 1 AS email) ${alias} LIMIT 1) FROM customers c`,
  `SELECT (SELECT ${alias}.email FROM (SELECT 1 AS email) c LIMIT 1) FROM customers ${alias}`,
  `SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM (SELECT 'x' AS email) ${alias} WHERE c.email LIKE 'x%')`,
  `SELECT id FROM customers c ORDER BY (SELECT c.email FROM (SELECT 1 AS email) ${alias} LIMIT 1)`,
  `SELECT count(*) FROM customers c GROUP BY (SELECT c.email FROM (SELECT 1 AS email) ${alias} LIMIT 1)`,
  `SELECT c.id FROM customers c JOIN orders o ON o.id = (SELECT char_length(c.email) FROM (SELECT 1 AS email) ${alias} LIMIT 1)`,
]

/** The same with the table's own name, and with its schema in front. */
const shadowTableName = (name: string): readonly string[] => [
  `SELECT (SELECT customers.email FROM (SELECT 1 AS email) ${name} LIMIT 1) FROM customers`,
  `SELECT (SELECT ${name}.email FROM (SELECT 1 AS email) customers LIMIT 1) FROM customers ${name}`,
  `SELECT id FROM customers WHERE (SELECT customers.email FROM (SELECT 1 AS email) ${name} LIMIT 1) > 'm'`,
  `WITH ${name} AS (SELECT 1 AS email) SELECT (SELECT customers.email FROM ${name} LIMIT 1) FROM customers`,
]

/** A column nearly called like a hidden one. */
const shadowColumn = (name: string): readonly string[] => [
  `SELECT ${name} FROM customers`,
  `SELECT c.${name} FROM customers c`,
  `SELECT (SELECT email FROM (SELECT 1 AS ${name}) x LIMIT 1) FROM customers`,
  `SELECT (SELECT ${name} FROM (SELECT 1 AS email) x LIMIT 1) FROM customers`,
  `SELECT (SELECT x.email FROM (SELECT 1 AS ${name}) x LIMIT 1) FROM customers x`,
  `SELECT id AS ${name} FROM customers ORDER BY email`,
  `SELECT count(*) AS ${name} FROM customers GROUP BY email`,
  `SELECT city AS ${name} FROM customers GROUP BY city HAVING max(email) > 'm'`,
  `SELECT id FROM customers JOIN (SELECT 'x' AS ${name}) y USING (email)`,
]

/** A masked column under a name that is nearly its own. */
const readMasked = (name: string): readonly string[] => [
  `SELECT ${name} FROM customers`,
  `SELECT max(${name}) FROM customers`,
  `SELECT id FROM customers ORDER BY ${name}`,
  `SELECT id FROM customers WHERE ${name} LIKE '7%'`,
  `SELECT char_length(${name}) FROM customers`,
  `SELECT (SELECT ssn FROM (SELECT 1 AS ${name}) x LIMIT 1) FROM customers`,
]
