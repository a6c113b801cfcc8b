import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt'
import type { SlackMessage } from '../../check-message.ts'
import { slackErrorCode } from '../../delivery/slack-error-code.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { adminView, notAdminView } from '../../views/command-admin.ts'
import { commandHelpView } from '../../views/command-help.ts'
import { schemaView } from '../../views/command-schema.ts'
import { verifiedView } from '../../views/command-verified.ts'
import { plainReply } from '../../views/plain-reply.ts'
import { askAsPerson } from '../ask-as-person.ts'
import type { Background } from '../background.ts'
import { readCommand } from './read-command.ts'

type Deps = Pick<
  SlackUseCases,
  'ask' | 'whyMayNotAsk' | 'isAdmin' | 'describeAdmin' | 'describeSchema' | 'describeVerified'
>
type Args = SlackCommandMiddlewareArgs & AllMiddlewareArgs

/** Slack lets nobody into a channel whom nobody invited. */
const notThere: ReadonlySet<string> = new Set(['not_in_channel', 'channel_not_found', 'is_archived'])

/** `/querent`: whoever typed it alone sees the reply. What it takes to find may take longer than Slack waits. */
export const makeQuerentCommand =
  (deps: Deps, background: Background) =>
  async ({ ack, command, client, respond }: Args): Promise<void> => {
    await ack()
    background.run('a command', async () => {
      const say = ({ text, blocks }: SlackMessage) =>
        respond({ response_type: 'ephemeral', text, blocks: [...blocks] as never })
      try {
        const reply = await replyTo(deps, command, client)
        if (reply !== null) await say(reply)
      } catch (error) {
        await say(plainReply('That did not work.', 'Try again in a moment; an admin finds more in the log.'))
        throw error
      }
    })
  }

/** Null where nothing is left to say: the question is posted. */
const replyTo = async (
  deps: Deps,
  { text, user_id: person, team_id: team, channel_id: channel }: Args['command'],
  client: Args['client'],
): Promise<SlackMessage | null> => {
  const read = readCommand(text)
  const asker = { person, place: { team, channel } }
  switch (read.word) {
    case 'help':
      return commandHelpView(null)
    case 'unknown':
      return commandHelpView(read.typed)
    case 'ask':
      return read.question === ''
        ? plainReply(
            'There is no question.',
            'Write it behind the word: `/querent ask how many orders are there?`',
          )
        : ask(deps, client, { person, team, channel, text: read.question })
    case 'schema':
      return schemaView(await deps.describeSchema({ ...asker, table: read.table }))
    case 'verified':
      return verifiedView(await deps.describeVerified(asker))
    case 'admin':
      return deps.isAdmin(person) ? adminView(await deps.describeAdmin(team)) : notAdminView
    default: {
      const never: never = read
      return never
    }
  }
}

const ask = async (
  deps: Deps,
  client: Args['client'],
  given: Parameters<typeof askAsPerson>[2],
): Promise<SlackMessage | null> => {
  try {
    const asked = await askAsPerson(deps, client, given)
    return asked.status === 'not-allowed' ? plainReply(asked.reason, asked.nextStep) : null
  } catch (error) {
    if (!notThere.has(slackErrorCode(error) ?? '')) throw error
    return plainReply(
      'I am not in this channel, so I cannot post your question here.',
      'Invite me with `/invite @querent`, or write to me directly.',
    )
  }
}
