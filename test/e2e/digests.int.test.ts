import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { OpenView } from '../../simulator/shapes/view.ts'
import { digestFormIds } from '../../src/slack/views/digests/form.ts'
import { buttons } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Digests from the answer to the message, by the hands of their owner, an admin and somebody else. The tests go on from one another. */

const PATIENCE_MS = 30_000

const count = '@querent how many bicycles are there?'

const byKind = '@querent how many bicycles are there by kind?'

let workspace: TestWorkspace

const simulator = () => workspace.simulator

const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''

const channelOf = (name: string): string =>
  simulator().channels.find(channel => channel.name === name)?.id ?? ''

const words = (thing: unknown): string => JSON.stringify(thing)

const until = <T>(look: () => T | null | undefined | false) => simulator().until(look, PATIENCE_MS)

/** The posts of the digest with this title in a channel, the oldest first. */
const posts = (title: string, channel = channelOf('sales')) =>
  simulator()
    .messages()
    .filter(said => said.channel === channel && said.byBot && said.onlyFor === null)
    .filter(({ blocks }) => blocks[0]?.type === 'header' && words(blocks[0]).includes(title))

const nthPost = (title: string, n: number): Promise<RecordedMessage> => until(() => posts(title)[n - 1])

const answerTo = async (text: string): Promise<RecordedMessage> => {
  const question = await workspace.ask(text)
  return workspace.reply(question, message => buttons(message).includes('Schedule'))
}

const openForm = async (on: RecordedMessage, by = 'ada'): Promise<OpenView> => {
  await simulator().click({ by, on, label: 'Schedule' })
  return until(() => simulator().modal(by))
}

const openHome = async (by: string, looks: RegExp): Promise<OpenView> => {
  simulator().openHome(by)
  return homeOf(by, looks)
}

const homeOf = (by: string, looks: RegExp): Promise<OpenView> =>
  until(() => {
    const home = simulator().home(by)
    return home && looks.test(words(home.view)) ? home : null
  })

const clickHome = (by: string, home: OpenView, label: string) =>
  simulator().click({ by, on: { viewId: home.id }, label })

const toldTo = (by: string, looks: RegExp) =>
  until(() =>
    simulator()
      .messages()
      .findLast(
        ({ onlyFor, text, blocks }) => onlyFor === idOf(by) && looks.test(`${text} ${words(blocks)}`),
      ),
  )

const digests = () =>
  workspace.watcher.rows(
    'select id, title, owner, schedule_words, cron, time_zone, pause, questions, condition from querent.digests order by created_at',
  )

const inDatabase = (sql: string): void => {
  const database = new DatabaseSync(workspace.databaseFile)
  database.exec(sql)
  database.close()
}

beforeAll(async () => {
  workspace = await openWorkspace({ admin: 'mira', timing: { fileProcessing: 200 } })
  await workspace.bot.start()
})

afterAll(() => workspace?.[Symbol.asyncDispose]())

afterEach(async () => {
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('Schedule', () => {
  it('says at the fields what does not fit, and loses nothing', async () => {
    const form = await openForm(await answerTo(count))
    expect(words(form.view)).toContain('every weekday at 09:00')
    const submit = (values: Record<string, string>) => simulator().submitModal('ada', values)
    expect(await submit({ [digestFormIds.schedule]: 'when the moon is full' })).toEqual({
      outcome: 'errors',
      errors: { [digestFormIds.schedule]: expect.any(String) },
    })
    expect(
      await submit({ [digestFormIds.timeZone]: 'Mars', [digestFormIds.condition]: 'above' }),
    ).toMatchObject({
      errors: { [digestFormIds.timeZone]: expect.any(String), [digestFormIds.value]: expect.any(String) },
    })
    expect(simulator().modal('ada')?.id).toBe(form.id)
    expect(await digests()).toEqual([])
  })

  it('makes one digest of a form that is sent twice, and says when it runs', async () => {
    const values = {
      [digestFormIds.title]: 'Bicycles',
      [digestFormIds.schedule]: 'mondays 08:30',
      [digestFormIds.timeZone]: 'Europe/Berlin',
    }
    const sent = await Promise.all([
      simulator().submitModal('ada', values),
      simulator().submitModal('ada', values),
    ])
    expect(sent.map(({ outcome }) => outcome)).toEqual(['updated', 'updated'])
    const [digest, second] = await digests()
    expect(second).toBeUndefined()
    expect(digest).toMatchObject({ title: 'Bicycles', owner: idOf('ada'), cron: '30 8 * * 1' })
    const said = words(simulator().modal('ada')?.view)
    expect(said).toContain('Bicycles')
    expect(said.match(/<!date/g)).toHaveLength(3)
    await simulator().closeModal('ada')
  })

  it('adds an answer to a digest that is there', async () => {
    await openForm(await answerTo(byKind))
    const [digest] = await digests()
    const added = await simulator().submitModal('ada', { [digestFormIds.existing]: String(digest?.id) })
    expect(added).toEqual({ outcome: 'updated' })
    expect(words(simulator().modal('ada')?.view)).toContain('2 of at most 5 questions')
    await simulator().closeModal('ada')
    expect((await digests()).map(({ questions }) => (questions as unknown[]).length)).toEqual([2])
  })
})

describe('a run', () => {
  it('is one message with every question, and a double click is one run', async () => {
    const home = await openHome('ada', /Bicycles/)
    expect(words(home.view)).toContain('2 questions')
    await Promise.all([clickHome('ada', home, 'Run now'), clickHome('ada', home, 'Run now')])
    const first = words((await nthPost('Bicycles', 1)).blocks)
    expect(first).toContain('48')
    expect(first).toContain('folding')
    expect(first).toContain('nothing to compare with yet')
    expect(first).toContain(`with the permissions of <@${idOf('ada')}>`)
    await homeOf('ada', /is running/)
    expect(await workspace.watcher.rows('select 1 from querent.digest_runs')).toHaveLength(1)
  })

  it('shows what changed since the last run', async () => {
    inDatabase(`insert into bicycles with recursive n(i) as (select 1 union all select i + 1 from n where i < 12)
      select 100 + i, 'Model X', 'cargo', 500 from n`)
    await simulator().click({ by: 'ada', on: await nthPost('Bicycles', 1), label: 'Run now' })
    const second = words((await nthPost('Bicycles', 2)).blocks)
    expect(second).toContain('▲ +25% since')
    expect(second).toContain('(was 48)')
    expect(second).toContain('1 row changed since')
    expect(
      await simulator().click({ by: 'ada', on: await nthPost('Bicycles', 2), label: 'Show SQL' }),
    ).toMatchObject({ outcome: 'acknowledged' })
    expect(words((await until(() => simulator().modal('ada'))).view)).toMatch(/count\(/i)
    await simulator().closeModal('ada')
  })
})

describe('managing digests', () => {
  it('is only for the owner and admins, for every button', async () => {
    await simulator().click({ by: 'jonas', on: await nthPost('Bicycles', 2), label: 'Pause' })
    await toldTo('jonas', /Only a digest's owner and admins/)
    expect((await digests())[0]?.pause).toBeNull()
    expect(words((await openHome('jonas', /None yet/)).view)).not.toContain('Bicycles')
  })

  it('pauses from the message and resumes in App Home', async () => {
    await simulator().click({ by: 'ada', on: await nthPost('Bicycles', 2), label: 'Pause' })
    await toldTo('ada', /is paused/)
    const home = await openHome('mira', /paused by/)
    expect(words(home.view)).toContain('All digests')
    await clickHome('mira', home, 'Resume')
    await homeOf('mira', /is resumed/)
    expect((await digests())[0]?.pause).toBeNull()
  })

  it('edits its fields and questions in a form', async () => {
    const home = await openHome('ada', /Bicycles/)
    await clickHome('ada', home, 'Edit')
    const form = await until(() => simulator().modal('ada'))
    expect(words(form.view)).toMatch(/Monday|monday|30 8 \* \* 1/)
    const [before] = await digests()
    const [first] = (before?.questions ?? []) as readonly { readonly id: string }[]
    const saved = await simulator().submitModal('ada', {
      [digestFormIds.title]: 'Bicycles of the day',
      [digestFormIds.schedule]: 'daily 18:00',
      [digestFormIds.condition]: 'moved',
      [digestFormIds.value]: '10 %',
      [digestFormIds.questions]: [first?.id ?? ''],
    })
    expect(saved).toEqual({ outcome: 'updated' })
    await simulator().closeModal('ada')
    await homeOf('ada', /Bicycles of the day/)
    const [after] = await digests()
    expect(after).toMatchObject({ cron: '0 18 * * *', condition: { kind: 'moved', percent: 10 } })
    expect(after?.questions).toHaveLength(1)
  })

  it('hands it over to somebody who may have it', async () => {
    const handOver = async (to: string) => {
      const home = await openHome('ada', /Bicycles of the day/)
      await clickHome('ada', home, 'Hand over')
      await until(() => simulator().modal('ada'))
      return simulator().submitModal('ada', { [digestFormIds.person]: idOf(to) })
    }
    expect(await handOver('noor')).toMatchObject({
      outcome: 'errors',
      errors: { [digestFormIds.person]: expect.stringMatching(/guest/i) },
    })
    await simulator().closeModal('ada')
    expect(await handOver('jonas')).toEqual({ outcome: 'closed' })
    await homeOf('ada', /is handed over/)
    expect((await digests())[0]?.owner).toBe(idOf('jonas'))
    await openHome('jonas', /Bicycles of the day/)
  })

  it('also works by command', async () => {
    const [digest] = await digests()
    const id = String(digest?.id).slice(0, 8)
    await simulator().command('jonas', '#sales', '/querent digest list')
    await toldTo('jonas', new RegExp(`Bicycles of the day.*${id}`))
    await simulator().command('jonas', '#sales', `/querent digest pause ${id}`)
    await toldTo('jonas', /“Bicycles of the day” is paused/)
    await simulator().command('ada', '#sales', `/querent digest resume ${String(digest?.id)}`)
    await toldTo('ada', /Only a digest's owner and admins/)
    await simulator().command('jonas', '#sales', '/querent digest mondays at 9')
    await toldTo('jonas', /There is no question after the schedule.*querent digest mondays at 9: how many/)
    await simulator().command('jonas', '#sales', '/querent digest by moonlight')
    await toldTo('jonas', /I don't know the command “by moonlight”.*digest WHEN: QUESTION/)
    expect((await digests())[0]?.pause).toMatchObject({ why: 'by-person', by: idOf('jonas') })
  })

  it('is deleted, and what it posted stays', async () => {
    const home = await openHome('jonas', /Bicycles of the day/)
    await clickHome('jonas', home, 'Delete')
    await homeOf('jonas', /is deleted/)
    expect(await digests()).toEqual([])
    expect(posts('Bicycles')).toHaveLength(2)
    await simulator().click({ by: 'jonas', on: await nthPost('Bicycles', 2), label: 'Run now' })
    await toldTo('jonas', /no longer exists/)
  })
})

describe('/querent digest WHEN: QUESTION', () => {
  const inThread = (question: string, looks: RegExp) =>
    until(() => {
      const asked = simulator()
        .messages()
        .findLast(({ byBot, threadTs, text }) => byBot && threadTs === null && text.includes(question))
      return asked && workspace.replies(asked).find(({ blocks }) => looks.test(words(blocks)))
    })
  const questions = () => workspace.watcher.rows('select from querent.questions')

  it('asks nothing if the schedule cannot be read', async () => {
    const before = await questions()
    await simulator().command('ada', '#sales', '/querent digest when the moon is full: how many bicycles?')
    await toldTo('ada', /I didn't schedule anything.*is not a schedule I understand/)
    expect(await questions()).toEqual(before)
  })

  it('asks, and makes a digest of the answer, which its thread says', async () => {
    const question = 'how many cargo bicycles are there?'
    await simulator().command('ada', '#sales', `/querent digest mondays at 08:30: ${question}`)
    await inThread(question, /Scheduled.*every Monday at 08:30.*Next runs/)
    const [digest, second] = await digests()
    expect(second).toBeUndefined()
    expect(digest).toMatchObject({ owner: idOf('ada'), cron: '30 8 * * 1', title: question })
    await simulator().command('ada', '#sales', '/querent digest list')
    await toldTo('ada', new RegExp(`${question.replace('?', '.')}.*${String(digest?.id)}`))
    await simulator().command('ada', '#sales', `/querent digest delete ${String(digest?.id)}`)
    await toldTo('ada', /is deleted/)
    expect(await digests()).toEqual([])
  })

  it('says that nothing was scheduled if there is no answer', async () => {
    const question = 'which unicorns did the wizards sing to?'
    await simulator().command('ada', '#sales', `/querent digest daily: ${question}`)
    await inThread(question, /I didn't schedule/)
    await workspace.watcher.until('select 1 where not exists (select from querent.digest_wishes)')
    expect(await digests()).toEqual([])
  })
})

describe('a schema that changed', () => {
  it('asks the owner to decide a repair, once for what was shown', async () => {
    await openForm(await answerTo('@querent how many riders are there by name?'))
    await simulator().submitModal('ada', { [digestFormIds.title]: 'Riders' })
    await simulator().closeModal('ada')
    inDatabase('alter table riders rename column name to names')
    await clickHome('ada', await openHome('ada', /Riders/), 'Run now')
    const notice = await until(() =>
      simulator()
        .messages()
        .findLast(said => said.byBot && words(said.blocks).includes('no longer fits the database')),
    )
    expect(simulator().channels.find(({ id }) => id === notice.channel)?.person).toBe(idOf('ada'))
    expect(buttons(notice)).toEqual(['Accept', 'Refuse'])
    await workspace.watcher.until('select from querent.digests where repair is not null')
    const home = await openHome('ada', /paused until a repair is decided/)
    await clickHome('ada', home, 'Decide')
    const compared = await until(() => simulator().modal('ada'))
    expect(words(compared.view)).toContain('Proposed')
    await simulator().click({ by: 'ada', on: notice, label: 'Accept' })
    const decided = await until(() =>
      simulator()
        .messages()
        .find(({ ts, text }) => ts === notice.ts && text.includes('is accepted')),
    )
    expect(buttons(decided)).toEqual([])
    expect((await digests())[0]?.pause).toBeNull()
    await simulator().click({ by: 'ada', on: { viewId: compared.id }, label: 'Accept' })
    await until(() => words(simulator().modal('ada')?.view).includes('nothing left to decide'))
    await simulator().closeModal('ada')
    await clickHome('ada', await openHome('ada', /Riders/), 'Run now')
    await nthPost('Riders', 1)
  })
})
