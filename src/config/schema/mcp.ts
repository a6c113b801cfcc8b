import { z } from 'zod'
import { claimsSchema } from './access.ts'
import { wholeNumber } from './operations.ts'

const tokenSchema = z.strictObject({
  token: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/)
    .meta({
      description: `The bearer token. Preferably \${NAME}, with the token in the environment.`,
      expects: 'at least 32 characters without spaces, as `openssl rand -hex 32` writes them',
      examples: [`\${ADA_MCP_TOKEN}`],
      secret: true,
    }),
  person: z
    .string()
    .regex(/^\S{1,80}$/)
    .meta({
      description:
        'Who asks with it: a Slack id, or any other name. Usage, limits and the audit log count for this person.',
      expects: 'an id without spaces',
      examples: ['U012AB3CD'],
    }),
  team: z
    .string()
    .regex(/^T[A-Z0-9]+$/)
    .exactOptional()
    .meta({
      description:
        'The Slack workspace of the person. Then Slack decides, each time, which databases the person may ask: those of direct messages and of their channels.',
      expects: 'the id of a workspace',
      examples: ['T012AB3CD'],
    }),
  databases: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .meta({
      description:
        'The databases it may ask; the first is the one to ask if none is named. With `team`, only those of them that Slack allows too. Default: `defaultDatabase`, or with `team` all that Slack allows.',
      expects: 'names of `databases`',
      examples: [['shop']],
    }),
  claims: claimsSchema.default({}).meta({
    description:
      'Claims about the person, for groups under `access`. With `team`, those under `access.people` count instead.',
    expects: 'claims by name',
    examples: [{ region: 'EMEA' }],
  }),
})

/** `querent mcp`: programs that ask. */
export const mcpSchema = z
  .strictObject({
    port: wholeNumber(0, 65_535, {
      unit: 'ports',
      expects: 'the number of a port, or 0 for any free one',
      description: 'The port of `querent mcp --http`.',
      examples: [3323],
    }).default(3323),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta({
        description:
          'The address to listen on. Anything but this machine needs `mcp.tokens` or `mcp.slack`, and TLS in front.',
        expects: 'an address or a name of this machine',
        examples: ['127.0.0.1'],
      }),
    hosts: z
      .array(z.string().regex(/^[a-z0-9.-]+$/i))
      .default([])
      .meta({
        description:
          'Names in addresses that clients use, besides localhost. Requests for any other host, and from web pages of any other, are refused.',
        expects: 'host names without port',
        examples: [['querent.example.com']],
      }),
    slack: z
      .boolean()
      .default(false)
      .meta({
        description: "Whether Slack's own MCP client may ask, signed with SLACK_SIGNING_SECRET.",
        expects: 'true or false',
        examples: [false],
      }),
    tokens: z
      .record(
        z
          .string()
          .regex(/^[a-z0-9][a-z0-9_-]*$/i)
          .meta({ expects: 'letters, digits, _ and -', examples: ['ada'] }),
        tokenSchema,
      )
      .default({})
      .meta({
        description: 'Who may ask over HTTP, by a name for each token.',
        expects: 'tokens by name',
      }),
  })
  .prefault({})
  .meta({ description: 'The MCP server: docs/mcp.md.' })
