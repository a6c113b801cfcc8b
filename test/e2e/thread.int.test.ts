import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { buttons } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

let workspace: TestWorkspace
const simulator = () => workspace.simulator

beforeAll(async () => {
  workspace = await openWorkspace()
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())
afterEach(async () => {
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

const contextOf = (message: RecordedMessage): string => JSON.stringify(message.blocks)

/** It shows one number. */
const counts =
  (number: number) =>
  ({ text }: RecordedMessage): boolean =>
    text.endsWith(`: ${number}`)

/** The bot's reply in a thread that comes after so many others and looks as wanted. */
const nextReply = (
  first: RecordedMessage,
  known: number,
  looks: (reply: RecordedMessage) => boolean,
): Promise<RecordedMessage> =>
  workspace.reply(first, reply => replies(first).indexOf(reply) >= known && looks(reply))
const replies = (first: RecordedMessage) => workspace.replies(first)

const say = (first: RecordedMessage, text: string, by = 'ada') =>
  simulator().post({ by, in: '#sales', thread: first.ts, text })

interface Answer {
  readonly asked_by: string
  readonly sql: string
  readonly headline: string
  readonly assumptions: readonly string[]
}

/** The answers of a thread in the order of asking, as soon as there are so many. */
const answers = async (first: RecordedMessage, count: number): Promise<readonly Answer[]> => {
  const found = await workspace.watcher.until(
    `select asked_by, sql, headline, assumptions from querent.questions join querent.answers on question_id = id
     where place ->> 'thread' = $1
       and (select count(*) from querent.questions where place ->> 'thread' = $1 and status = 'answered') = $2
     order by asked_at`,
    [first.ts, count],
  )
  await simulator().until(() => (replies(first).length >= count ? first : undefined))
  return found as unknown as readonly Answer[]
}

const questionsOf = (message: RecordedMessage) =>
  workspace.watcher.rows(
    "select text, status, withdrawn_at is not null as withdrawn from querent.questions where place ->> 'message' = $1 order by created_at",
    [message.ts],
  )

describe('a thread that was answered', () => {
  it('takes changes of the question, without a mention and of other people', async () => {
    const first = await workspace.ask('@querent how many bicycles are there by kind?')
    await answers(first, 1)
    await say(first, 'only cargo and tandem')
    const [, filtered] = await answers(first, 2)
    expect(filtered?.sql).toContain("kind IN ('cargo', 'tandem')")
    expect(filtered?.assumptions[0]).toContain('Same as before, only cargo, tandem (kind)')
    await nextReply(first, 1, reply => contextOf(reply).includes('Same as before'))

    await say(first, 'average price instead', 'jonas')
    const [, , average] = await answers(first, 3)
    expect(average).toMatchObject({
      asked_by: simulator().people.find(({ handle }) => handle === 'jonas')?.id,
      sql: expect.stringContaining('AVG(price)'),
    })
    expect(average?.sql).toContain("kind IN ('cargo', 'tandem')")
    expect(average?.assumptions[0]).toBe('Same as before, the average price.')
    expect(replies(first)).toHaveLength(3)
  })

  it('takes a change that thanks or objects first, and leaves thanks alone', async () => {
    const first = await workspace.ask('@querent how many bicycles are there by kind?')
    await answers(first, 1)
    await say(first, 'no, only cargo and tandem')
    const [, filtered] = await answers(first, 2)
    expect(filtered?.sql).toContain("kind IN ('cargo', 'tandem')")
    await say(first, 'thanks, average price instead?')
    const [, , average] = await answers(first, 3)
    expect(average?.sql).toContain('AVG(price)')
    const thanks = await say(first, 'ok thank you so much :tada:')
    await workspace.watcher.until("select from querent.remarks where text like 'ok thank you%'")
    await say(first, 'sorry, I meant the number of riders', 'jonas')
    const [, , , riders] = await answers(first, 4)
    expect(riders?.sql).toContain('riders')
    await say(first, 'great, how many hires were started in 2026?')
    const [, , , , hires] = await answers(first, 5)
    expect(hires?.sql).toContain("started_on >= '2026-01-01'")
    await say(first, 'ok and by month')
    const [, , , , , byMonth] = await answers(first, 6)
    expect(byMonth?.sql).toContain("date(started_on, 'start of month')")
    expect(await questionsOf(thanks)).toEqual([])
    await nextReply(first, 5, reply => contextOf(reply).includes('Same as before'))
    expect(replies(first)).toHaveLength(6)
  })

  it('groups by month and keeps the year', async () => {
    const first = await workspace.ask('@querent how many hires were started in 2026?')
    await answers(first, 1)
    await say(first, 'and by month?')
    const [, byMonth] = await answers(first, 2)
    expect(byMonth?.sql).toContain("started_on >= '2026-01-01'")
    expect(byMonth?.sql).toContain("date(started_on, 'start of month')")
    expect(byMonth?.headline).toMatch(/^Hires (?:grew|fell) .* · peak in .*2026, \d+/)
  })

  it('takes a number apart when somebody asks why', async () => {
    const first = await workspace.ask('@querent how many hires were started in 2026?')
    await answers(first, 1)
    await say(first, 'and by month?')
    await answers(first, 2)
    await say(first, 'why is March low?', 'jonas')
    const [, , why] = await answers(first, 3)
    expect(why?.headline).toMatch(/^March 2026 was (?:\d+ (?:below|above)|the same as) February 2026/)
    expect(why?.assumptions.join(' ')).toContain('shows where a number comes from, not what caused it')
    const reply = await nextReply(first, 2, ({ text }) => text.startsWith('March 2026 was'))
    expect(contextOf(reply)).toContain('February 2026')
    await say(first, 'in 2025 only')
    const [, , , changed] = await answers(first, 4)
    expect(changed?.sql).toContain("date(started_on, 'start of month')")
  })

  it('takes what was said before its first answer was there, once', async () => {
    const first = await simulator().post({
      by: 'ada',
      in: '#sales',
      text: '@querent how many bicycles are there by kind?',
    })
    await workspace.watcher.until("select from querent.questions where place ->> 'message' = $1", [first.ts])
    const early = await say(first, 'only cargo and tandem', 'jonas')
    await answers(first, 1)
    const [, filtered] = await answers(first, 2)
    expect(filtered?.sql).toContain("kind IN ('cargo', 'tandem')")
    await workspace.watcher.until(
      "select from querent_jobs.job where name = 'hear-again' and data -> 'place' ->> 'message' = $1",
      [early.ts],
    )
    expect(await questionsOf(early)).toHaveLength(1)
    await nextReply(first, 1, reply => contextOf(reply).includes('Same as before'))
    expect(replies(first)).toHaveLength(2)
  })

  it('need not be one in a direct message', async () => {
    const first = await simulator().post({ by: 'mira', text: 'how many bicycles are there by kind?' })
    await answers(first, 1)
    const next = await simulator().post({ by: 'mira', text: 'only cargo and tandem' })
    const [filtered] = await answers(next, 1)
    expect(filtered?.sql).toContain("kind IN ('cargo', 'tandem')")
    const own = await simulator().post({ by: 'mira', text: 'how many riders are there?' })
    const [riders] = await answers(own, 1)
    expect(riders?.sql).not.toContain('cargo')
  })

  it('leaves people alone who talk to each other, and remembers what they said', async () => {
    const first = await workspace.ask('@querent how many riders are there?')
    await workspace.reply(first, counts(40))
    const aside = await say(first, '@jonas is that all of them?')
    const talk = await say(first, 'I think that looks right', 'jonas')
    await workspace.watcher.until("select from querent.remarks where text like 'I think%'")
    expect(await questionsOf(aside)).toEqual([])
    expect(await questionsOf(talk)).toEqual([])
    expect(replies(first)).toHaveLength(1)
  })

  it('says what it could not read, with changes that work as buttons', async () => {
    const first = await workspace.ask('@querent how many bicycles are there by kind?')
    await answers(first, 1)
    await say(first, 'only unicorns')
    const refused = await nextReply(first, 1, reply => reply.text.includes('unicorns'))
    expect(buttons(refused)).toContain('top 5')
    await simulator().click({ by: 'ada', on: refused, label: 'top 5' })
    const [, top] = await answers(first, 2)
    expect(top?.sql).toContain('LIMIT 5')
  })
})

describe('what the database has not', () => {
  it('is named, with questions that work as buttons', async () => {
    const question = await workspace.ask('@querent how many purple elephants hired bicycles?')
    const refused = await workspace.reply(question, reply => reply.text.includes('elephants'))
    const [example = ''] = buttons(refused)
    await simulator().click({ by: 'ada', on: refused, label: example })
    await nextReply(question, 1, reply => !reply.text.includes('elephants') && buttons(reply).length > 0)
  })
})

describe('an edit of a question', () => {
  it('that was answered is answered again in the same message', async () => {
    const question = await workspace.ask('@querent how many riders are there?')
    const before = await workspace.reply(question, counts(40))
    await simulator().edit(question, '@querent how many bicycles are there?')
    const after = await workspace.reply(question, counts(48))
    expect(after.ts).toBe(before.ts)
    expect(replies(question)).toHaveLength(1)
    expect(await questionsOf(question)).toEqual([
      { text: 'how many riders are there?', status: 'answered', withdrawn: true },
      { text: 'how many bicycles are there?', status: 'answered', withdrawn: false },
    ])
  })

  it('that changes no word does nothing', async () => {
    const question = await workspace.ask('@querent how many riders are there?')
    await workspace.reply(question, counts(40))
    await simulator().edit(question, '@querent  how many riders are there?')
    await simulator().settled()
    expect(await questionsOf(question)).toHaveLength(1)
  })

  it('that names us makes a question of what was none', async () => {
    const message = await workspace.ask('how many riders are there?')
    await simulator().settled()
    expect(await questionsOf(message)).toEqual([])
    await simulator().edit(message, '@querent how many riders are there?')
    await workspace.reply(message, counts(40))
  })

  it('that is worked on replaces it: only the new words are answered', async () => {
    const held = await workspace.watcher.lock('querent.briefs')
    const question = await workspace.ask('@querent how many riders are there?')
    await held.blocks()
    await simulator().edit(question, '@querent how many bicycles are there?')
    await workspace.watcher.until(
      "select from querent.questions where place ->> 'message' = $1 and withdrawn_at is null and key like '%#%'",
      [question.ts],
    )
    await held.release()
    await workspace.reply(question, counts(48))
    await workspace.watcher.until(
      "select from querent.questions where place ->> 'message' = $1 and status = 'stopped'",
      [question.ts],
    )
    // A first message that was on its way when the words changed is taken away.
    await simulator().until(() => (replies(question).length === 1 ? question : undefined), 20_000)
    expect(replies(question).every(counts(48))).toBe(true)
  })
})

describe('a deletion of a question', () => {
  it('takes its answer away, and later questions do not build on it', async () => {
    const question = await workspace.ask('@querent how many riders are there?')
    await workspace.reply(question, counts(40))
    await simulator().remove(question)
    await simulator().until(() => (replies(question).length === 0 ? question : undefined), 30_000)
    expect(await questionsOf(question)).toEqual([
      { text: 'how many riders are there?', status: 'answered', withdrawn: true },
    ])
  })

  it('takes the message away that Slack let us post only after the deletion', async () => {
    const limited = { kind: 'rate-limited', retryAfterSeconds: 6 } as const
    simulator().setFaults([
      { method: 'chat.startStream', times: 9, ...limited },
      { method: 'chat.postMessage', times: 1, ...limited },
    ])
    const calls = (wanted: string) =>
      simulator()
        .calls()
        .filter(({ method }) => method === wanted).length
    const [posts, deletions] = [calls('chat.postMessage'), calls('chat.delete')]
    const question = await workspace.ask('@querent how many riders are there?')
    await simulator().until(() => calls('chat.postMessage') > posts || undefined)
    await simulator().remove(question)
    // Slack lets us post at the second try, which comes after the deletion.
    await simulator().until(() => calls('chat.postMessage') >= posts + 2 || undefined, 30_000)
    await simulator().until(() => calls('chat.delete') > deletions || undefined, 30_000)
    await simulator().until(() => replies(question).length === 0 || undefined)
    simulator().setFaults([])
    expect(await questionsOf(question)).toMatchObject([{ withdrawn: true }])
  })
})
