import type { WebClient } from '@slack/web-api'
import type { DigestTarget } from '../../../core/digest.ts'
import type { WishedDigest } from '../../../core/digest-wish.ts'
import type { WordedDigest } from '../../../core/digest-words.ts'
import type { SlackMessage } from '../../check-message.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { plainReply } from '../../views/plain-reply.ts'
import { channelNamed } from '../channel-named.ts'
import { zoneOfPerson } from '../zone-of-person.ts'
import { type DigestDeedWords, type DigestWords, readDigestWords } from './digest-command.ts'
import { type CommandWords, readCommand } from './read-command.ts'
import { wordsOfWhen } from './words-of-when.ts'

/**
 * What a command wants: a question answered, with the digest that is wanted of it, or something else done. `unfit`: nothing
 * is asked, for the reason that the reply says.
 */
export type WantedByCommand =
  | { readonly status: 'asks'; readonly text: string; readonly digest?: WishedDigest }
  | { readonly status: 'unfit'; readonly reply: SlackMessage }
  | { readonly status: 'asks-nothing'; readonly read: OtherWords }

/** Commands that ask no question. */
export type OtherWords =
  | Exclude<CommandWords, { readonly word: 'ask' | 'digest' }>
  | { readonly word: 'digest'; readonly words: DigestDeedWords }

/** Reads it. A schedule is read before anything is asked, and before Slack is asked for the zone. */
export const wantedByCommand = async (
  { digests }: { readonly digests: Pick<SlackUseCases['digests'], 'preview' | 'readWords'> },
  client: WebClient,
  { text, person, channel }: { readonly text: string; readonly person: string; readonly channel: string },
): Promise<WantedByCommand> => {
  const read = readCommand(text)
  if (read.word === 'ask')
    return read.question === ''
      ? unfit('There is no question.', 'Write it behind the word: `/querent ask how many orders are there?`')
      : { status: 'asks', text: read.question }
  if (read.word !== 'digest') return { status: 'asks-nothing', read }
  const words = readDigestWords(read.rest)
  if (words.does === 'make') return digestOf(words)
  const noColon = words.does === 'help' && words.typed !== null ? withoutColon(words.typed) : null
  return noColon ?? { status: 'asks-nothing', read: { word: 'digest', words } }

  /** For words that begin with when a digest is due; null where they do not. */
  function withoutColon(typed: string): WantedByCommand | null {
    const line = plainSigns(typed)
    const when = wordsOfWhen(line, start => digests.readWords(start).status === 'read')
    if (when === null) return null
    const question = line.slice(when.length).replace(/^[\s,;.–—-]+/, '')
    return question === ''
      ? unfit(
          'Nothing was asked. There is no question.',
          `Write it behind a colon: ${lineOf(when, 'how many orders are there?')}`,
        )
      : unfit(
          'Nothing was asked. A colon is missing between when and the question.',
          `Write ${lineOf(when, question)}`,
        )
  }

  async function digestOf({ words, question }: DigestWords & { does: 'make' }): Promise<WantedByCommand> {
    if (question === '')
      return unfit(
        'There is no question.',
        'Write it behind the colon: `/querent digest every monday at 9: how many orders are there?`',
      )
    const known = digests.readWords(plainSigns(words))
    if (known.status === 'unclear') return unfit(`Nothing was asked. ${known.reason}`, known.nextStep)
    const { schedule, condition } = known.digest
    const target = await targetOf(known.digest.target)
    if ('problem' in target) return unfit(`Nothing was asked. ${target.problem}`, target.nextStep)
    const zone = known.digest.timeZone ?? (await zoneOfPerson(client, person))
    const timeZone = zone !== null && digests.preview(schedule, zone).status === 'read' ? zone : null
    return { status: 'asks', text: question, digest: { schedule, timeZone, condition, target } }
  }

  /** Where it goes; without a word about it, where it was typed. */
  async function targetOf(
    said: WordedDigest['target'],
  ): Promise<DigestTarget | { readonly problem: string; readonly nextStep: string }> {
    const toAsker = { kind: 'person', person } as const
    if (said === null) return channel.startsWith('D') ? toAsker : { kind: 'channel', channel }
    switch (said.kind) {
      case 'asker':
        return toAsker
      case 'channel':
        return said
      case 'person':
        return said.person === person ? toAsker : notToOthers
      case 'channel-name': {
        const found = await channelNamed(client, person, said.name)
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

const notToOthers = {
  problem: 'A digest goes to a channel, or to you alone: not into the direct messages of others.',
  nextStep: 'Write `to me` or `in #channel`, or neither for where you type it.',
}

/** Slack writes what stands between `<` and `>` as it is, and a lone `<` as `&lt;`. */
const plainSigns = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')

/** The line as it would be right. In words that quote code themselves it would end early. */
const lineOf = (when: string, question: string): string =>
  `\`/querent digest ${when}: ${question.replaceAll('`', '')}\``

const unfit = (said: string, nextStep: string): WantedByCommand => ({
  status: 'unfit',
  reply: plainReply(said, nextStep),
})
