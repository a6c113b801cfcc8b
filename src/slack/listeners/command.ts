import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt'
import { plainReply } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { slackErrorCode } from '../delivery/slack-errors.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { adminView, commandHelpView, notAdminView, schemaView, verifiedView } from '../views/command.ts'
import { askOnBehalf, channelAbsentCodes } from './ask-on-behalf.ts'
import type { Background } from './background.ts'
import { runDigestCommand } from './digest-command.ts'
import { type CommandRequest, type NonQuestionCommand, resolveCommand } from './parse-command.ts'

type Deps = Pick<
  SlackUseCases,
  | 'ask'
  | 'findAskRefusal'
  | 'pendingQuestions'
  | 'isAdmin'
  | 'describeAdmin'
  | 'describeSchema'
  | 'describeVerified'
  | 'digests'
>

type Args = SlackCommandMiddlewareArgs & AllMiddlewareArgs

/** `/querent`: whoever typed it alone sees the reply. What it takes to find may take longer than Slack waits. */
export const makeQuerentCommand =
  (deps: Deps, background: Background) =>
  async ({ ack, command, client, respond }: Args): Promise<void> => {
    const { text, user_id: person, channel_id: channel } = command
    const wanted = await resolveCommand(deps, client, { text, person, channel })
    if (wanted.status === 'asks') await deps.pendingQuestions.add(pendingQuestionOf(command, wanted))
    await ack()
    background.run('a command', async () => {
      const say = ({ text, blocks }: SlackMessage) =>
        respond({ response_type: 'ephemeral', text, blocks: [...blocks] as never })
      try {
        const reply = await replyTo(deps, command, client, wanted)
        if (reply !== null) await say(reply)
      } catch (error) {
        await say(plainReply('That did not work.', 'Try again in a moment; an admin finds more in the log.'))
        throw error
      }
    })
  }

/** A question outlives this process once this is stored. */
const pendingQuestionOf = (
  { user_id: person, team_id: team, channel_id: channel, trigger_id: request }: Args['command'],
  { text, digest }: CommandRequest & { readonly status: 'asks' },
) => ({ key: commandKey(request), person, team, channel, text, ...(digest && { digest }) })

/** Slack names each run of a command differently. */
const commandKey = (request: string): string => `command ${request}`

/** Null where nothing is left to say: the question is posted. */
const replyTo = async (
  deps: Deps,
  command: Args['command'],
  client: Args['client'],
  wanted: CommandRequest,
): Promise<SlackMessage | null> => {
  switch (wanted.status) {
    case 'asks':
      return askFromCommand(deps, client, pendingQuestionOf(command, wanted))
    case 'unfit':
      return wanted.reply
    case 'asks-nothing':
      return replyWithoutQuestion(deps, command, wanted.read)
    default: {
      const never: never = wanted
      return never
    }
  }
}

const replyWithoutQuestion = async (
  deps: Deps,
  { user_id: person, team_id: team, channel_id: channel, trigger_id: request }: Args['command'],
  read: NonQuestionCommand,
): Promise<SlackMessage> => {
  const asker = { person, location: { team, channel } }
  switch (read.word) {
    case 'help':
      return commandHelpView(null)
    case 'unknown':
      return commandHelpView(read.typed)
    case 'schema':
      return schemaView(await deps.describeSchema({ ...asker, table: read.table }))
    case 'digest':
      return runDigestCommand(deps, read.words, { person, team, request })
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

const askFromCommand = async (
  deps: Deps,
  client: Args['client'],
  given: Parameters<typeof askOnBehalf>[2],
): Promise<SlackMessage | null> => {
  try {
    const asked = await askOnBehalf(deps, client, given)
    if (asked.status !== 'not-allowed') return null
    await deps.pendingQuestions.close(given.key)
    return plainReply(asked.reason, asked.nextStep)
  } catch (error) {
    // The person is told, and asks again: nothing is asked behind their back.
    await deps.pendingQuestions.close(given.key)
    if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    return plainReply(
      'I am not in this channel, so I cannot post your question here.',
      'Invite me with `/invite @querent`, or write to me directly.',
    )
  }
}
