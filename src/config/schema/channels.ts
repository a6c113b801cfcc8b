import { z } from 'zod'

const database = z
  .string()
  .exactOptional()
  .meta({
    description: 'Which database is asked there. Without it: `defaultDatabase`.',
    expects: 'the name of one of `databases`',
    examples: ['shop'],
  })

const glossary = z
  .string()
  .regex(/^(?!generated$)[a-z0-9][a-z0-9_-]*$/i)
  .exactOptional()
  .meta({
    description:
      'A folder below `knowledge/` whose files hold there, beside those that hold everywhere: words that mean something of their own in this place.',
    expects: 'the name of a folder below knowledge/',
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
    description: 'Who may ask there, as ids of people and of user groups. Without it: everyone who is there.',
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
      'Whether people of other companies or workspaces may ask there, and the channel be shared with them.',
    expects: 'true or false',
    examples: [true],
  })

/** Channels by id or name. */
export const channelsSchema = z
  .record(
    z
      .string()
      .regex(/^#?[^\s#:/]+$/)
      .meta({ expects: 'the id of a channel, or its name without #', examples: ['sales'] }),
    z.strictObject({ database, glossary, mayAsk, guests, outsiders }),
  )
  .default({})
  .meta({
    description: 'Where the bot answers, by the id or the name of the channel.',
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
          'Whether it answers in channels that are not under `channels`. Without it: only as long as there are none.',
        expects: 'true or false',
        examples: [true],
      }),
    ...{ database, glossary, mayAsk, guests, outsiders },
  })
  .prefault({})
  .meta({ description: 'Every channel that is not under `channels`.' })

/** What people write to the bot alone. */
export const directMessagesSchema = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .meta({
        description: 'Whether it answers in direct messages.',
        expects: 'true or false',
        examples: [true],
      }),
    ...{ database, glossary, mayAsk, guests, outsiders },
  })
  .prefault({})
  .meta({ description: 'What people write to the bot alone.' })
