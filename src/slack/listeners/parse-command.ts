import type { WebClient } from '@slack/web-api'
import type { DigestTarget } from '../../domain/digest.ts'
import type { ParsedDigest, RequestedDigest } from '../../domain/digest-use-cases.ts'
import { plainReply } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { findChannelByName, findTimeZone } from '../directory.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { type DigestCommand, type DigestManagementCommand, parseDigestCommand } from './digest-command.ts'

/**
 * What a command wants: a question answered, with the digest that is wanted of it, or something else done. `unfit`: nothing
 * is asked, for the reason that the reply says.
 */
export type CommandRequest =
  | { readonly status: 'asks'; readonly text: string; readonly digest?: RequestedDigest }
  | { readonly status: 'unfit'; readonly reply: SlackMessage }
  | { readonly status: 'asks-nothing'; readonly read: NonQuestionCommand }

/** Commands that ask no question. */
export type NonQuestionCommand =
  | Exclude<ParsedCommand, { readonly word: 'ask' | 'digest' }>
  | { readonly word: 'digest'; readonly words: DigestManagementCommand }

/** Reads it. A schedule is read before anything is asked, and before Slack is asked for the zone. */
export const resolveCommand = async (
  { digests }: { readonly digests: Pick<SlackUseCases['digests'], 'preview' | 'readWords'> },
  client: WebClient,
  { text, person, channel }: { readonly text: string; readonly person: string; readonly channel: string },
): Promise<CommandRequest> => {
  const read = parseCommand(text)
  if (read.word === 'ask')
    return read.question === ''
      ? rejectCommand(
          'There is no question.',
          'Write it behind the word: `/querent ask how many orders are there?`',
        )
      : { status: 'asks', text: read.question }
  if (read.word !== 'digest') return { status: 'asks-nothing', read }
  const words = parseDigestCommand(read.rest)
  if (words.does === 'make') return digestOf(words)
  const noColon = words.does === 'help' && words.typed !== null ? withoutColon(words.typed) : null
  return noColon ?? { status: 'asks-nothing', read: { word: 'digest', words } }

  /** For words that begin with when a digest is due; null where they do not. */
  function withoutColon(typed: string): CommandRequest | null {
    const line = unescapeAngleBrackets(typed)
    const when = findSchedulePrefix(line, start => digests.readWords(start).status === 'read')
    if (when === null) return null
    const question = line.slice(when.length).replace(/^[\s,;.–—-]+/, '')
    return question === ''
      ? rejectCommand(
          'Nothing was asked. There is no question.',
          `Write it behind a colon: ${exampleCommand(when, 'how many orders are there?')}`,
        )
      : rejectCommand(
          'Nothing was asked. A colon is missing between when and the question.',
          `Write ${exampleCommand(when, question)}`,
        )
  }

  async function digestOf({ words, question }: DigestCommand & { does: 'make' }): Promise<CommandRequest> {
    if (question === '')
      return rejectCommand(
        'There is no question.',
        'Write it behind the colon: `/querent digest every monday at 9: how many orders are there?`',
      )
    const known = digests.readWords(unescapeAngleBrackets(words))
    if (known.status === 'unclear') return rejectCommand(`Nothing was asked. ${known.reason}`, known.nextStep)
    const { schedule, condition } = known.digest
    const target = await targetOf(known.digest.target)
    if ('problem' in target) return rejectCommand(`Nothing was asked. ${target.problem}`, target.nextStep)
    const zone = known.digest.timeZone ?? (await findTimeZone(client, person))
    const timeZone = zone !== null && digests.preview(schedule, zone).status === 'read' ? zone : null
    return { status: 'asks', text: question, digest: { schedule, timeZone, condition, target } }
  }

  /** Where it goes; without a word about it, where it was typed. */
  async function targetOf(
    said: ParsedDigest['target'],
  ): Promise<DigestTarget | { readonly problem: string; readonly nextStep: string }> {
    const toAsker = { kind: 'person', person } as const
    if (said === null) return channel.startsWith('D') ? toAsker : { kind: 'channel', channel }
    switch (said.kind) {
      case 'asker':
        return toAsker
      case 'channel':
        return said
      case 'person':
        return said.person === person ? toAsker : notToOtherPeople
      case 'channel-name': {
        const found = await findChannelByName(client, person, said.name)
        if (found !== null) return { kind: 'channel', channel: found }
        return {
          problem: `I know no channel #${said.name} that both of us are in.`,
          nextStep: 'Invite me there with `/invite @querent`, or type the command in that channel.',
        }
      }
      default: {
        const never: never = said
        return never
      }
    }
  }
}

const notToOtherPeople = {
  problem: 'A digest goes to a channel, or to you alone: not into the direct messages of others.',
  nextStep: 'Write `to me` or `in #channel`, or neither for where you type it.',
}

/** Slack writes what stands between `<` and `>` as it is, and a lone `<` as `&lt;`. */
const unescapeAngleBrackets = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')

/** The line as it would be right. In words that quote code themselves it would end early. */
const exampleCommand = (when: string, question: string): string =>
  `\`/querent digest ${when}: ${question.replaceAll('`', '')}\``

const rejectCommand = (said: string, nextStep: string): CommandRequest => ({
  status: 'unfit',
  reply: plainReply(said, nextStep),
})

/** What stands behind `/querent`. `unknown` keeps what was typed: it may be a question. */
type ParsedCommand =
  | { readonly word: 'help' | 'verified' | 'admin' }
  | { readonly word: 'ask'; readonly question: string }
  | { readonly word: 'schema'; readonly table: string | null }
  | { readonly word: 'digest'; readonly rest: string }
  | { readonly word: 'unknown'; readonly typed: string }

/** Reads it. Nothing at all asks for help; the case of the first word does not matter. */
const parseCommand = (text: string): ParsedCommand => {
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

/** A schedule with its condition and its place has no more words than this. */
const MOST_SCHEDULE_WORDS = 40

/**
 * The words that a line begins with, as many as `isRead` takes for when a digest is due, under which condition, and where.
 * Null where it takes none.
 */
const findSchedulePrefix = (line: string, isRead: (start: string) => boolean): string | null => {
  const ends = [...line.matchAll(/\S+/g)]
    .slice(0, MOST_SCHEDULE_WORDS)
    .map(({ 0: word, index }) => index + word.replace(/[,;.–—-]+$/, '').length)
  const last = ends.findLast(end => isRead(line.slice(0, end)))
  return last === undefined ? null : line.slice(0, last).trim()
}
