import { z } from 'zod'
import { databaseDialects } from '../../sql/dialects.ts'
import { wholeNumber } from './operations.ts'

/** A pattern for tables, as in `ReadScope`. */
export const tablePattern = z
  .string()
  .regex(/^[^.]+(\.[^.]+)?$/)
  .meta({ expects: 'a table such as orders or hr.*', examples: ['hr.*'] })

/** A pattern for columns, as in `ReadScope`. */
export const columnPattern = z
  .string()
  .regex(/^[^.]+(\.[^.]+){1,2}$/)
  .meta({ expects: 'a column such as customers.email or *.ssn', examples: ['customers.email'] })

const addresses = databaseDialects.map(({ address }) => address)

const prefixes = addresses.flatMap(address =>
  address.kind === 'file' ? [`${address.scheme}:`] : [address.scheme, ...address.aliases].map(s => `${s}://`),
)

const addressPattern = new RegExp(`^(${prefixes.join('|')}).`)

/** `postgres://..., mysql://..., trino://..., spark://..., clickhouse://..., redshift://..., snowflake://..., bigquery://..., sqlite:PATH or duckdb:PATH`. */
const addressForms = [
  ...addresses.flatMap(({ kind, scheme }) => (kind === 'server' ? [`${scheme}://...`] : [])),
  ...addresses.flatMap(({ kind, scheme }) => (kind === 'file' ? [`${scheme}:PATH`] : [])),
]
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')

/** The tables that people may ask about. */
export const tablesSchema = z
  .strictObject({
    include: z
      .array(tablePattern)
      .default([])
      .meta({
        description: 'People may ask only about these tables. Default: all.',
        expects: 'a list of tables',
        examples: [['orders', 'shop.*']],
      }),
    exclude: z
      .array(tablePattern)
      .default([])
      .meta({
        description: 'Tables that nobody can ask about, as if they did not exist.',
        expects: 'a list of tables',
        examples: [['hr.*']],
      }),
  })
  .prefault({})
  .meta({ description: 'The tables that people may ask about.' })

/** The columns that people may ask about. */
export const columnsSchema = z
  .strictObject({
    exclude: z
      .array(columnPattern)
      .default([])
      .meta({
        description: 'Columns that nobody can ask about, as if they did not exist.',
        expects: 'a list of columns',
        examples: [['*.password_hash']],
      }),
    mask: z
      .array(columnPattern)
      .default([])
      .meta({
        description:
          'Columns whose values nobody sees. Statements may only count them, check them for NULL and join on them.',
        expects: 'a list of columns',
        examples: [['customers.email', '*.ssn']],
      }),
  })
  .prefault({})
  .meta({ description: 'The columns that people may ask about.' })

/** One database that people may ask about. */
export const databaseSchema = z.strictObject({
  url: z
    .string()
    .regex(addressPattern)
    .exactOptional()
    .meta({
      description: `The address of the database. Give \`url\` or \`path\`. Preferably \${NAME}, with the address in the environment.`,
      expects: addressForms,
      examples: [`\${SHOP_DATABASE_URL}`],
      secret: true,
    }),
  path: z
    .string()
    .min(1)
    .exactOptional()
    .meta({
      description: 'A SQLite file, relative to querent.yml.',
      expects: 'the path of a SQLite file',
      examples: ['data/shop.sqlite'],
    }),
  description: z
    .string()
    .min(1)
    .exactOptional()
    .meta({
      description: 'What it contains, in one sentence, for people and for models.',
      expects: 'a sentence',
      examples: ['Orders, customers and stock of the web shop'],
    }),
  owner: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description: 'Who to ask about this database if Querent cannot answer: a name, or a Slack user id.',
      expects: 'a name, or an id such as U012AB3CD',
      examples: ['the data team'],
    }),
  allowFunctions: z
    .array(
      z
        .string()
        .regex(/^[a-z_][\w.]*$/i)
        .meta({ expects: 'the name of a function', examples: ['fiscal_quarter'] }),
    )
    .default([])
    .meta({
      description:
        'Your own functions that statements may call, in addition to those that Querent knows to be safe.',
      expects: 'a list of function names',
      examples: [['fiscal_quarter']],
    }),
  heavyRows: wholeNumber(0, 1_000_000_000_000, {
    unit: 'rows',
    description: 'Like `limits.heavyRows`, for this database.',
    examples: [500_000_000],
  }).exactOptional(),
  tables: tablesSchema,
  columns: columnsSchema,
  modelsSee: z
    .enum(['values', 'schema'])
    .default('values')
    .meta({
      description:
        'What models see of it. schema: tables, columns and comments, but no row and no value. values: also samples, matches and first rows of results, without those of personal columns.',
      expects: 'values or schema',
      examples: ['schema'],
    }),
  personal: z
    .strictObject({
      columns: z
        .array(columnPattern)
        .default([])
        .meta({
          description: 'Columns with personal data that their names and values do not give away.',
          expects: 'a list of columns',
          examples: [['visits.remark']],
        }),
      not: z
        .array(columnPattern)
        .default([])
        .meta({
          description: 'Columns that are not personal although they look so, such as names of companies.',
          expects: 'a list of columns',
          examples: [['customers.name']],
        }),
    })
    .prefault({})
    .meta({
      description:
        'Columns whose values models never see. E-mail, phone, names and the like are found by name and by their values.',
    }),
  credentials: z
    .record(
      z
        .string()
        .regex(/^[a-z][a-z0-9_-]*$/i)
        .meta({ expects: 'letters, digits, _ and -, beginning with a letter', examples: ['emea'] }),
      z.string().regex(addressPattern).meta({ secret: true }),
    )
    .default({})
    .meta({
      description: `Other addresses of the same database, for groups under \`access\` that connect as another user. Preferably \${NAME}.`,
      expects: addressForms,
      examples: [{ emea: `\${EMEA_DATABASE_URL}` }],
    }),
})
