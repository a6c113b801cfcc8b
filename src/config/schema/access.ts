import { z } from 'zod'
import { columnPattern, columnsSchema, tablePattern, tablesSchema } from './database.ts'

const name = z.string().regex(/^[a-z][a-z0-9_-]*$/i)

/** Facts about a person by name. */
export const claimsSchema = z
  .record(
    name.meta({ expects: 'letters, digits, _ and -, beginning with a letter', examples: ['region'] }),
    z.string().min(1).max(200),
  )
  .meta({ expects: 'claims by name', examples: [{ region: 'EMEA' }] })

const mask = z.union([
  z.enum(['hide', 'hash', 'last-four']),
  z.strictObject({
    bucket: z
      .number()
      .positive()
      .meta({
        description: 'The width of the buckets. A number is shown as the lower end of its bucket.',
        expects: 'a number above 0',
        examples: [1000],
      }),
  }),
])

/** What a group gives in one database. */
const grantSchema = z.strictObject({
  tables: tablesSchema,
  columns: columnsSchema,
  rows: z
    .record(tablePattern, z.string().trim().min(1).max(2_000))
    .default({})
    .meta({
      description:
        'The rows that its people see, as a condition in SQL by table. `{person.id}`, `{person.email}` and `{claim.NAME}` are filled in as text.',
      expects: 'conditions by table',
      examples: [{ orders: "region = 'EMEA'", customers: 'owner = {person.email}' }],
    }),
  masks: z
    .record(columnPattern, mask)
    .default({})
    .meta({
      description:
        'Columns that are shown in another form: `hash` keeps equal values equal, `last-four` shows the last four characters, `bucket` rounds numbers down, `hide` shows nothing.',
      expects: 'hide, hash, last-four or {bucket: WIDTH} by column',
      examples: [{ 'customers.phone': 'last-four' }],
    }),
  export: z
    .boolean()
    .default(true)
    .meta({
      description: 'Whether its people may export all rows of an answer as CSV.',
      expects: 'true or false',
      examples: [false],
    }),
  role: z
    .string()
    .regex(/^[^\0'"`\\]{1,63}$/)
    .exactOptional()
    .meta({
      description:
        'The database role that its statements run as. The user of the connection must be a member of it.',
      expects: 'the name of a role',
      examples: ['emea_reader'],
    }),
  session: z
    .record(z.string().regex(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i), z.string().max(200))
    .default({})
    .meta({
      description:
        'Session variables for policies and views of the database, with the same placeholders as `rows`. Postgres: `app.person` is read with `current_setting`. MySQL and MariaDB: `person` is read as `@person` by a function that a view calls.',
      expects: 'values by variable',
      examples: [{ 'app.person': '{person.id}' }],
    }),
  credentials: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/i)
    .exactOptional()
    .meta({
      description:
        'Connect with these credentials of the database (`databases.<name>.credentials`) instead of its `url`.',
      expects: 'a name under `credentials` of the database',
      examples: ['emea'],
    }),
})

/** Who sees what: groups in order, and what admins state about people. */
export const accessSchema = z
  .strictObject({
    people: z
      .record(
        z
          .string()
          .regex(/^[UW][A-Z0-9]+$/)
          .meta({ expects: 'the Slack id of a person', examples: ['U012AB3CD'] }),
        claimsSchema.meta({ description: 'Claims about this person, by name.' }),
      )
      .default({})
      .meta({
        description: 'Claims about people by Slack id, for groups and for `{claim.NAME}` in conditions.',
        expects: 'claims by person',
      }),
    groups: z
      .record(
        name.meta({ expects: 'letters, digits, _ and -, beginning with a letter', examples: ['analysts'] }),
        z.strictObject({
          members: z
            .union([
              z.literal('everyone'),
              z.array(z.string().regex(/^([UWS][A-Z0-9]+|[^\s@]+@[^\s@]+)$/)).min(1),
            ])
            .exactOptional()
            .meta({
              description:
                'Who belongs to it: ids of people and of user groups, e-mail addresses, or everyone.',
              expects: 'everyone, or a list of ids (U... or S...) and e-mail addresses',
              examples: [['S0614TZR7', 'ada@example.com']],
            }),
          claims: claimsSchema.exactOptional().meta({
            description: 'Also those who have all of these claims.',
            expects: 'claims by name',
            examples: [{ region: 'EMEA' }],
          }),
          databases: z
            .record(name.meta({ expects: 'the name of one of `databases`', examples: ['shop'] }), grantSchema)
            .meta({
              description: 'What its people see, by database. `{}`: all of it.',
              expects: 'settings by database',
            }),
        }),
      )
      .default({})
      .meta({
        description:
          'Groups in order of precedence. Of the groups that name a database, the first that a person belongs to decides what they see; people in none of them see nothing of it.',
        expects: 'groups by name',
      }),
  })
  .prefault({})
  .meta({
    description: 'Who sees what (docs/access.md). Without groups, everyone who can ask sees the same rows.',
  })
