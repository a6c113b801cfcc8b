import type { AllMiddlewareArgs, SlackCommandMiddlewareArgs } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { DigestTarget } from '../../domain/digests/digest.ts'
import type { ParsedDigest, RequestedDigest } from '../../domain/digests/use-cases.ts'
import { plainReply, type SlackMessage } from '../block-kit/blocks.ts'
import { commandProblems } from '../copy/help.ts'
import { commandFailed, notInChannel } from '../copy/phrases.ts'
import { slackErrorCode } from '../delivery/client.ts'
import { findChannelByName, findTimeZone } from '../directory.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { adminView, commandHelpView, notAdminView, schemaView, verifiedView } from '../views/command.ts'
import { askOnBehalf, channelAbsentCodes } from './ask-on-behalf.ts'
import type { Background } from './clicks-and-forms.ts'
import {
  type DigestCommand,
  type DigestManagementCommand,
  parseDigestCommand,
  runDigestCommand,
} from './digest-command.ts'

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

/**
 * What a command asks for: an answer, perhaps with a digest of it, or something else. `unfit`: nothing is asked, for the
 * reason in the reply.
 */
type CommandRequest =
  | { readonly status: 'asks'; readonly text: string; readonly digest?: RequestedDigest }
  | { readonly status: 'unfit'; readonly reply: SlackMessage }
  | { readonly status: 'asks-nothing'; readonly command: NonQuestionCommand }

/** Commands that ask no question. */
type NonQuestionCommand =
  | Exclude<ParsedCommand, { readonly word: 'ask' | 'digest' }>
  | { readonly word: 'digest'; readonly command: DigestManagementCommand }

/** Parses a command. A schedule is parsed before anything is asked, and before Slack is asked for the time zone. */
export const resolveCommand = async (
  { digests }: { readonly digests: Pick<SlackUseCases['digests'], 'preview' | 'readWords'> },
  client: WebClient,
  { text, person, channel }: { readonly text: string; readonly person: string; readonly channel: string },
): Promise<CommandRequest> => {
  const parsed = parseCommand(text)
  if (parsed.word === 'ask')
    return parsed.question === ''
      ? rejectCommand(commandProblems.noQuestion)
      : { status: 'asks', text: parsed.question }
  if (parsed.word !== 'digest') return { status: 'asks-nothing', command: parsed }
  const command = parseDigestCommand(parsed.rest)
  if (command.action === 'make') return digestOf(command)
  const noColon = command.action === 'help' && command.typed !== null ? withoutColon(command.typed) : null
  return noColon ?? { status: 'asks-nothing', command: { word: 'digest', command } }

  /** For text that starts with a schedule but has no colon; null for other text. */
  function withoutColon(typed: string): CommandRequest | null {
    const line = unescapeAngleBrackets(typed)
    const when = findSchedulePrefix(line, start => digests.readWords(start).status === 'read')
    if (when === null) return null
    const question = line.slice(when.length).replace(/^[\s,;.–—-]+/, '')
    return question === ''
      ? rejectCommand(
          commandProblems.noQuestionAfterSchedule(exampleCommand(when, commandProblems.exampleQuestion)),
        )
      : rejectCommand(commandProblems.noColon(exampleCommand(when, question)))
  }

  async function digestOf({
    schedule: words,
    question,
  }: DigestCommand & { action: 'make' }): Promise<CommandRequest> {
    if (question === '') return rejectCommand(commandProblems.noDigestQuestion)
    const known = digests.readWords(unescapeAngleBrackets(words))
    if (known.status === 'unclear') return nothingAsked(known)
    const { schedule, condition } = known.digest
    const target = await targetOf(known.digest.target)
    if ('reason' in target) return nothingAsked(target)
    const zone = known.digest.timeZone ?? (await findTimeZone(client, person))
    const timeZone = zone !== null && digests.preview(schedule, zone).status === 'read' ? zone : null
    return { status: 'asks', text: question, digest: { schedule, timeZone, condition, target } }
  }

  /** Where the digest goes: where it was typed, unless the command says otherwise. */
  async function targetOf(
    requested: ParsedDigest['target'],
  ): Promise<DigestTarget | { readonly reason: string; readonly nextStep: string }> {
    const toAsker = { kind: 'person', person } as const
    if (requested === null) return channel.startsWith('D') ? toAsker : { kind: 'channel', channel }
    switch (requested.kind) {
      case 'asker':
        return toAsker
      case 'channel':
        return requested
      case 'person':
        return requested.person === person ? toAsker : commandProblems.notToOtherPeople
      case 'channel-name': {
        const found = await findChannelByName(client, person, requested.name)
        if (found !== null) return { kind: 'channel', channel: found }
        return commandProblems.unknownChannel(requested.name)
      }
      default: {
        const never: never = requested
        return never
      }
    }
  }
}

/** Slack keeps text between `<` and `>` as it is, and escapes a lone `<` as `&lt;`. */
const unescapeAngleBrackets = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')

/** The corrected command, as code. A backquote in the question would end the code early. */
const exampleCommand = (when: string, question: string): string =>
  `\`/querent digest ${when}: ${question.replaceAll('`', '')}\``

const rejectCommand = (problem: { readonly reason: string; readonly nextStep: string }): CommandRequest => ({
  status: 'unfit',
  reply: plainReply(problem),
})

const nothingAsked = ({
  reason,
  nextStep,
}: {
  readonly reason: string
  readonly nextStep: string
}): CommandRequest => rejectCommand({ reason: commandProblems.nothingAsked(reason), nextStep })

/** A parsed `/querent` command. `unknown` keeps what was typed: it may be a question. */
export type ParsedCommand =
  | { readonly word: 'help' | 'verified' | 'admin' }
  | { readonly word: 'ask'; readonly question: string }
  | { readonly word: 'schema'; readonly table: string | null }
  | { readonly word: 'digest'; readonly rest: string }
  | { readonly word: 'unknown'; readonly typed: string }

/** Parses what follows `/querent`. Without any text it is `help`; the case of the first word does not matter. */
export const parseCommand = (text: string): ParsedCommand => {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? []
  switch (first.toLowerCase()) {
    case '':
    case 'help':
      return { word: 'help' }
    case 'ask':
      return { word: 'ask', question: rest.replace(/\s+/g, ' ').trim() }
    case 'schema':
      return { word: 'schema', table: rest.trim() || null }
    case 'digest':
    case 'digests':
      return { word: 'digest', rest }
    case 'verified':
      return { word: 'verified' }
    case 'admin':
      return { word: 'admin' }
    default:
      return { word: 'unknown', typed: text.trim() }
  }
}

/** A schedule with its condition and target has no more words than this. */
const MOST_SCHEDULE_WORDS = 40

/**
 * The longest beginning of a line that `isRead` accepts as a schedule with its condition and target. Null if it accepts
 * none.
 */
const findSchedulePrefix = (line: string, isRead: (start: string) => boolean): string | null => {
  const ends = [...line.matchAll(/\S+/g)]
    .slice(0, MOST_SCHEDULE_WORDS)
    .map(({ 0: word, index }) => index + word.replace(/[,;.–—-]+$/, '').length)
  const last = ends.findLast(end => isRead(line.slice(0, end)))
  return last === undefined ? null : line.slice(0, last).trim()
}
