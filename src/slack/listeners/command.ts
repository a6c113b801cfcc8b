import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt'
import { plainReply } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { commandFailed, notInChannel } from '../copy/errors.ts'
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

/** `/querent`: only the person who typed it sees the reply, which may take longer than Slack waits. */
export const makeQuerentCommand =
  (deps: Deps, background: Background) =>
  async ({ ack, command, client, respond }: Args): Promise<void> => {
    const { text, user_id: person, channel_id: channel } = command
    const request = await resolveCommand(deps, client, { text, person, channel })
    if (request.status === 'asks') await deps.pendingQuestions.add(pendingQuestionOf(command, request))
    await ack()
    background.run('a command', async () => {
      const respondPrivately = ({ text, blocks }: SlackMessage) =>
        respond({ response_type: 'ephemeral', text, blocks: [...blocks] as never })
      try {
        const reply = await replyTo(deps, command, client, request)
        if (reply !== null) await respondPrivately(reply)
      } catch (error) {
        await respondPrivately(plainReply(commandFailed))
        throw error
      }
    })
  }

/** Once this is stored, the question survives the end of this process. */
const pendingQuestionOf = (
  { user_id: person, team_id: team, channel_id: channel, trigger_id: trigger }: Args['command'],
  { text, digest }: CommandRequest & { readonly status: 'asks' },
) => ({ key: commandKey(trigger), person, team, channel, text, ...(digest && { digest }) })

/** Slack gives each run of a command its own trigger id. */
const commandKey = (trigger: string): string => `command ${trigger}`

/** Null if no reply is needed: the question is posted. */
const replyTo = async (
  deps: Deps,
  command: Args['command'],
  client: Args['client'],
  request: CommandRequest,
): Promise<SlackMessage | null> => {
  switch (request.status) {
    case 'asks':
      return askFromCommand(deps, client, pendingQuestionOf(command, request))
    case 'unfit':
      return request.reply
    case 'asks-nothing':
      return replyWithoutQuestion(deps, command, request.command)
    default: {
      const never: never = request
      return never
    }
  }
}

const replyWithoutQuestion = async (
  deps: Deps,
  { user_id: person, team_id: team, channel_id: channel, trigger_id: request }: Args['command'],
  parsed: NonQuestionCommand,
): Promise<SlackMessage> => {
  const asker = { person, location: { team, channel } }
  switch (parsed.word) {
    case 'help':
      return commandHelpView(null)
    case 'unknown':
      return commandHelpView(parsed.typed)
    case 'schema':
      return schemaView(await deps.describeSchema({ ...asker, table: parsed.table }))
    case 'digest':
      return runDigestCommand(deps, parsed.command, { person, team, request })
    case 'verified':
      return verifiedView(await deps.describeVerified(asker))
    case 'admin':
      return deps.isAdmin(person) ? adminView(await deps.describeAdmin(team)) : notAdminView
    default: {
      const never: never = parsed
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
    return plainReply(asked)
  } catch (error) {
    // The person is told and can ask again; nothing is asked without them.
    await deps.pendingQuestions.close(given.key)
    if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    return plainReply(notInChannel)
  }
}
