import type { DatabaseDialect } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  castToText,
  quoteName,
  quoteText,
  standardTokens,
  truncateWithDateTrunc,
  zonedMoment,
} from '../standard-sql.ts'
import { functionColumns, postgresFunctions } from './functions.ts'
import { fold, same } from './names.ts'
import { plainTypes } from './plain-types.ts'
import { readPostgresPlan } from './plan.ts'
import { promptNotes } from './prompt-notes.ts'
import { repair } from './repair.ts'

/** PostgreSQL. Tokens follow section 4.1 of its manual. */
export const postgres: DatabaseDialect = {
  name: 'postgres',
  label: 'Postgres',
  promptNotes,
  parser: 'libpg-query',
  polyglotName: 'postgresql',
  lexical: {
    ...standardTokens,
    stringPrefixes: ['e', 'b', 'x', 'n', 'u&'],
    dollarQuotes: true,
    nestedComments: true,
    parameterSigns: '$',
  },
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'name',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
  },
  guard: {
    functions: postgresFunctions,
    isPlainSchema: schema => schema === 'pg_catalog',
    formatTakesPattern: true,
    systemTables: { schemas: /^(?:pg_\w*|information_schema)$/, names: /^pg_/ },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: true,
    tokenRefusal: () => null,
  },
  address: {
    kind: 'server',
    scheme: 'postgres',
    aliases: ['postgresql'],
    defaultPort: 5432,
    socketParameter: 'host',
    needsDatabase: false,
  },
  openConnector: async ({ location, name }, { timeZone, concurrency }) => {
    const { makePostgresConnector } = await import('./connector.ts')
    return makePostgresConnector({
      url: location,
      place: name,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { connections: concurrency }),
    })
  },
  readOnlyRole: ({ role, password, database, schemas }) => [
    `create role ${role} login password '${password}';`,
    `alter role ${role} set default_transaction_read_only = on;`,
    ...(database === '' ? [] : [`grant connect on database ${quoteName(database)} to ${role};`]),
    ...schemas.flatMap(name => {
      const schema = quoteName(name)
      return [
        // Before PostgreSQL 15 everybody can create tables in public.
        ...(name === 'public' ? ['revoke create on schema "public" from public;'] : []),
        `grant usage on schema ${schema} to ${role};`,
        `grant select on all tables in schema ${schema} to ${role};`,
        `alter default privileges in schema ${schema} grant select on tables to ${role};`,
      ]
    }),
    '-- "alter default" covers tables that the person who runs it creates later. Anyone else who creates tables has to run it too.',
  ],
  names: {
    // Bare names fold to lower case, so capitals need quotes.
    bare: /^[a-z_][a-z0-9_]*$/,
    quote: quoteName,
    fold,
    same,
    defaultSchema: 'public',
  },
  rendering: {
    quoteText,
    booleans: { true: 'TRUE', false: 'FALSE' },
    starMustBeFirst: false,
    nullsLastWhen: 'asc',
    hasNullsLast: true,
    hasIlike: true,
    moment: zonedMoment,
    truncate: truncateWithDateTrunc,
  },
  typing: { columns: 'declared', sumsNumericText: false },
  scope: {
    hasStructFields: false,
    hasWholeRows: true,
    hasGroupByAll: false,
    inReadsTables: false,
    hasColumnPatterns: false,
    withIsRecursive: false,
    recursionIsSure: true,
    specialJoins: new Set(),
    functionColumns: name => functionColumns.get(name) ?? null,
    searchWord: null,
    mayCallOwn: ({ schema }) => schema !== 'pg_catalog',
    readsByPart: () => false,
    types: plainTypes,
    isImplied: () => false,
  },
  plan: { read: readPostgresPlan, showsLimit: true },
  measuring: {
    asText: castToText,
    textLength: text => `length(${text})`,
    matchesShape: (text, _, pattern) => `${text} ~ '${pattern}'`,
    // The fixed seed reads the same pages each time.
    tableSample: percent => `TABLESAMPLE SYSTEM (${percent}) REPEATABLE (1)`,
    joinsNeedIndex: false,
    concurrency: 3,
  },
  repair,
}
