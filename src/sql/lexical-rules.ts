import type { ParseDialect } from '../core/dialect.ts'

/** How a dialect cuts text into tokens, as far as quotes, comments and placeholders go. */
export interface LexicalRules {
  /** Pairs of an opening and a closing character around a quoted name. */
  readonly nameQuotes: Readonly<Record<string, string>>
  /** Characters around a string; the first is always the apostrophe. */
  readonly stringQuotes: readonly string[]
  /** Does a backslash inside a plain string escape the character after it? */
  readonly backslashEscapes: boolean
  /** Letters that may stand right before an apostrophe and belong to the string. */
  readonly stringPrefixes: readonly string[]
  /** `$$text$$` and `$tag$text$tag$`. */
  readonly dollarQuotes: boolean
  readonly nestedComments: boolean
  readonly hashComments: boolean
  /** `--` opens a comment only before white space (MySQL): `1--1` is two. */
  readonly dashesNeedSpace: boolean
  /** Signs that open a placeholder or variable when a name or number follows. */
  readonly parameterSigns: string
}

const ansi: LexicalRules = {
  nameQuotes: { '"': '"' },
  stringQuotes: ["'"],
  backslashEscapes: false,
  stringPrefixes: [],
  dollarQuotes: false,
  nestedComments: false,
  hashComments: false,
  dashesNeedSpace: false,
  parameterSigns: '?',
}

/**
 * Sources: the lexer chapters of each manual (SQLite "SQL keywords" and tokenize.c, MySQL 8.4 section 11, Postgres
 * section 4.1, DuckDB "Literals" and "Keywords and identifiers"). The last five are the common denominator: what
 * they read otherwise shows up as a disagreement with the parser's own tokens, and is not read at all.
 */
export const lexicalRules: Readonly<Record<ParseDialect, LexicalRules>> = {
  postgres: {
    ...ansi,
    stringPrefixes: ['e', 'b', 'x', 'n', 'u&'],
    dollarQuotes: true,
    nestedComments: true,
    parameterSigns: '$',
  },
  sqlite: {
    ...ansi,
    nameQuotes: { '"': '"', '`': '`', '[': ']' },
    stringPrefixes: ['x'],
    parameterSigns: '?:@$',
  },
  mysql: {
    ...ansi,
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    stringPrefixes: ['x', 'b', 'n'],
    hashComments: true,
    dashesNeedSpace: true,
    parameterSigns: '?@',
  },
  duckdb: {
    ...ansi,
    stringPrefixes: ['e', 'x'],
    dollarQuotes: true,
    nestedComments: true,
    parameterSigns: '?$',
  },
  snowflake: { ...ansi, backslashEscapes: true, dollarQuotes: true, parameterSigns: '?:$' },
  bigquery: {
    ...ansi,
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    stringPrefixes: ['r', 'b', 'rb', 'br'],
    hashComments: true,
    parameterSigns: '?@',
  },
  tsql: {
    ...ansi,
    nameQuotes: { '"': '"', '[': ']' },
    stringPrefixes: ['n'],
    nestedComments: true,
    parameterSigns: '?@',
  },
  clickhouse: { ...ansi, nameQuotes: { '"': '"', '`': '`' }, backslashEscapes: true },
  trino: { ...ansi, stringPrefixes: ['x', 'u&'] },
}
