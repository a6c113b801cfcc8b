import type { WebClient } from '@slack/web-api'
import type { WishedDigest } from '../../../core/digest-wish.ts'
import type { SlackMessage } from '../../check-message.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { plainReply } from '../../views/plain-reply.ts'
import { zoneOfPerson } from '../zone-of-person.ts'
import { type DigestDeedWords, type DigestWords, readDigestWords } from './digest-command.ts'
import { type CommandWords, readCommand } from './read-command.ts'

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
  { digests }: { readonly digests: Pick<SlackUseCases['digests'], 'preview'> },
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
  return words.does === 'make' ? digestOf(words) : { status: 'asks-nothing', read: { word: 'digest', words } }

  async function digestOf({
    when,
    question,
    toMe,
  }: DigestWords & { does: 'make' }): Promise<WantedByCommand> {
    if (question === '')
      return unfit(
        'There is no question.',
        'Write it behind the colon: `/querent digest every monday at 9: how many orders are there?`',
      )
    const known = digests.preview(when, 'UTC')
    if (known.status === 'unclear') return unfit(`Nothing was asked. ${known.reason}`, known.nextStep)
    const zone = await zoneOfPerson(client, person)
    const timeZone = zone !== null && digests.preview(when, zone).status === 'read' ? zone : null
    const target =
      toMe || channel.startsWith('D')
        ? ({ kind: 'person', person } as const)
        : ({ kind: 'channel', channel } as const)
    return { status: 'asks', text: question, digest: { schedule: when, timeZone, target } }
  }
}

const unfit = (said: string, nextStep: string): WantedByCommand => ({
  status: 'unfit',
  reply: plainReply(said, nextStep),
})
