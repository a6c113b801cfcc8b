import { z } from 'zod'
import { strategyNames } from '../../domain/strategies/strategy.ts'

const database = z
  .string()
  .exactOptional()
  .meta({
    description: 'The database for questions there. Default: `defaultDatabase`.',
    expects: 'the name of one of `databases`',
    examples: ['shop'],
  })

const glossary = z
  .string()
  .regex(/^(?!generated$)[a-z0-9][a-z0-9_-]*$/i)
  .exactOptional()
  .meta({
    description:
      'A folder in `knowledge/` with files that apply only there, for words with their own meaning in this channel.',
    expects: 'the name of a folder in knowledge/',
    examples: ['finance'],
  })

const mayAsk = z
  .array(
    z
      .string()
      .regex(/^[UWS][A-Z0-9]+$/)
      .meta({
        expects: 'the id of a person (U...) or of a user group (S...)',
        examples: ['U012AB3CD'],
      }),
  )
  .min(1)
  .exactOptional()
  .meta({
    description: 'Who may ask there: ids of people and of user groups. Default: all members.',
    expects: 'ids of people (U...) and of user groups (S...)',
    examples: [['U012AB3CD', 'S0614TZR7']],
  })

const guests = z
  .boolean()
  .default(false)
  .meta({
    description: 'Whether guests of the workspace may ask there.',
    expects: 'true or false',
    examples: [true],
  })

const outsiders = z
  .boolean()
  .default(false)
  .meta({
    description:
      'Whether people of other companies or workspaces may ask there, and whether the channel may be shared with them.',
    expects: 'true or false',
    examples: [true],
  })

const audience = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*$/i)
  .exactOptional()
  .meta({
    description:
      'A group under `access.groups`: answers with its rights may be shown to everyone there. Default: each member must have the rights of the answer, and other answers go to the asker alone.',
    expects: 'the name of a group',
    examples: ['sales'],
  })

const strategy = z
  .enum(strategyNames)
  .exactOptional()
  .meta({
    description: 'How questions there are answered. Default: `strategy`.',
    expects: 'the name of a strategy (docs/strategies.md)',
    examples: ['mac-sql'],
  })

/** Channels by id or name. */
export const channelsSchema = z
  .record(
    z
      .string()
      .regex(/^#?[^\s#:/]+$/)
      .meta({ expects: 'the id of a channel, or its name without #', examples: ['sales'] }),
    z.strictObject({ database, glossary, strategy, mayAsk, guests, outsiders, audience }),
  )
  .default({})
  .meta({
    description: 'The channels where the bot answers, by id or name.',
    expects: 'settings by channel',
  })

/** Every channel that has no settings of its own. */
export const otherChannelsSchema = z
  .strictObject({
    enabled: z
      .boolean()
      .exactOptional()
      .meta({
        description:
          'Whether the bot answers in channels that are not under `channels`. Default: only if `channels` is empty.',
        expects: 'true or false',
        examples: [true],
      }),
    ...{ database, glossary, strategy, mayAsk, guests, outsiders, audience },
  })
  .prefault({})
  .meta({ description: 'Every channel that is not under `channels`.' })

/** Direct messages to the bot. */
export const directMessagesSchema = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({
        description: 'Whether the bot answers direct messages.',
        expects: 'true or false',
        examples: [true],
      }),
    ...{ database, glossary, strategy, mayAsk, guests, outsiders },
  })
  .prefault({})
  .meta({ description: 'Direct messages to the bot.' })
