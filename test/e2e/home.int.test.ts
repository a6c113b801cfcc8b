import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { Snapshot } from '../../simulator/shapes/snapshot.ts'
import type { OpenView } from '../../simulator/shapes/view.ts'
import { proposalFormIds } from '../../src/slack/views/home-admin.ts'
import { buttons, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** App Home and `/querent`, as members, admins and guests see them. */

let workspace: TestWorkspace
const simulator = () => workspace.simulator
const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''
/** A busy machine takes its time to answer. */
const PATIENCE_MS = 20_000
const words = (thing: unknown): string => JSON.stringify(thing)

/** Opens the tab and waits until it shows what is wanted. */
const openHome = async (by: string, looks: RegExp): Promise<OpenView> => {
  simulator().openHome(by)
  return homeOf(by, looks)
}
const homeOf = (by: string, looks: RegExp): Promise<OpenView> =>
  simulator().until(() => {
    const home = simulator().home(by)
    return home && looks.test(words(home.view)) ? home : null
  }, PATIENCE_MS)
const clickHome = (by: string, home: OpenView, label: string) =>
  simulator().click({ by, on: { viewId: home.id }, label })
/** Types the command in #sales and waits for the one reply that only that person sees. */
const command = async (by: string, entered: string, channel = '#sales'): Promise<string> => {
  const toldTo = () =>
    simulator()
      .messages()
      .filter(({ onlyFor }) => onlyFor === idOf(by))
  const before = toldTo().length
  const result = await simulator().command(by, channel, entered)
  expect(result.outcome).toBe('acknowledged')
  return words((await simulator().until(() => toldTo()[before], PATIENCE_MS)).blocks)
}
/** The latest message that everybody sees in which the bot asks for somebody. */
const askedFor = (by: string): Promise<RecordedMessage> =>
  simulator().until(
    () =>
      simulator()
        .messages()
        .findLast(
          said => said.byBot && said.onlyFor === null && said.text.startsWith(`<@${idOf(by)}> asks:`),
        ),
    PATIENCE_MS,
  )

beforeAll(async () => {
  workspace = await openWorkspace({
    admin: 'mira',
    more: () => ({ otherChannels: { enabled: true }, channels: { random: { mayAsk: ['U000000000'] } } }),
  })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())
afterEach(async () => {
  await simulator().settled()
  expect(simulator().problems()).toEqual([])
})

describe('App Home', () => {
  it('shows where what can be asked, and questions that were tried', async () => {
    const home = words((await openHome('ada', /How many/)).view)
    expect(home).toContain('cycles')
    expect(home).toContain('`hires` (500 rows)')
    expect(home).toContain('Ask here or in #general, #sales.')
    expect(home).not.toContain('For admins')
  })

  it('asks an example in direct messages, and then lists it', async () => {
    const home = await openHome('jonas', /How many/)
    const label = /"text":"(How many [^"]*)"/.exec(words(home.view))?.[1] ?? ''
    await clickHome('jonas', home, label)
    const question = await askedFor('jonas')
    expect(simulator().channels.find(({ id }) => id === question.channel)?.person).toBe(idOf('jonas'))
    await workspace.watcher.until(
      "select 1 from querent.questions where place ->> 'message' = $1 and status = 'answered'",
      [question.ts],
    )
    const after = words((await openHome('jonas', /answered,/)).view)
    expect(after).toContain(`archives/${question.channel}/p${question.ts.replace('.', '')}|`)
    expect(words((await openHome('ada', /How many/)).view)).not.toContain('Your questions')
  })

  it('suggests questions of the data in direct messages, and names a thread after its question', async () => {
    const snapshot = async () =>
      (await (await fetch(`${simulator().url}/_simulator/snapshot?me=mira`)).json()) as Snapshot
    simulator().openHome('mira', 'messages')
    await simulator().until(() =>
      simulator()
        .calls()
        .some(({ method, ok }) => ok && method === 'assistant.threads.setSuggestedPrompts'),
    )
    const [suggested] = (await snapshot()).prompts
    const asked = suggested?.prompts[0]?.message ?? ''
    expect(asked).toMatch(/\?$/)
    const question = await simulator().post({ by: 'mira', text: asked })
    await workspace.reply(question, message => buttons(message).includes('Show SQL'))
    expect((await snapshot()).titles).toEqual([
      { channel: question.channel, threadTs: question.ts, title: asked.slice(0, 60) },
    ])
  })

  it('tells a guest why there is nothing to ask', async () => {
    const home = words((await openHome('noor', /guests/)).view)
    expect(home).not.toContain('hires')
    expect(home).not.toContain('Try one of these')
  })

  it('lets an admin decide a rule', async () => {
    const question = await workspace.ask('@querent how many bicycles are there by kind?')
    await workspace.reply(question, isTable)
    await workspace.watcher.rows(
      `insert into querent.proposed_rules (id, database, question_id, question, phrase, meaning, sql, columns, status, proposed_at)
       select gen_random_uuid(), 'cycles', id, text, 'country', 'pickup country of the hire', null,
         '["hires.pickup_country"]', 'proposed', now() from querent.questions where place ->> 'message' = $1`,
      [question.ts],
    )
    const home = await openHome('mira', /pickup country of the hire/)
    await clickHome('mira', home, 'Accept')
    expect(words((await homeOf('mira', /The rule is accepted/)).view)).not.toContain(
      'pickup country of the hire',
    )
    const [row] = await workspace.watcher.rows('select status, decided_by from querent.proposed_rules')
    expect(row).toEqual({ status: 'accepted', decided_by: idOf('mira') })
  })

  it('lets an admin accept, edit and reject what is proposed, which questions then use', async () => {
    const home = await openHome('mira', /Proposed metrics and segments/)
    expect(words(home.view)).toContain('*Kilometres* = sum of kilometres of hires')
    expect(words((await openHome('ada', /How many/)).view)).not.toContain('Proposed metrics')
    const decisions = () =>
      workspace.watcher.rows(
        'select kind, name, status, decided_by from querent.layer_decisions order by position',
      )
    const named = (name: string, status = 'accepted') => ({
      ...{ kind: 'metric', name, status },
      decided_by: idOf('mira'),
    })

    await clickHome('mira', home, 'Reject')
    const rejected = await homeOf('mira', /“Price” is rejected/)
    expect(words(rejected.view)).not.toContain('average price of bicycles')

    await clickHome('mira', rejected, 'Edit')
    const form = await simulator().until(() => simulator().modal('mira'), PATIENCE_MS)
    expect(words(form.view)).toContain('*Kilometres* = sum of kilometres of hires')
    const { label, synonyms } = proposalFormIds
    expect(await simulator().submitModal('mira', { [label]: 'Hires' })).toEqual({
      outcome: 'errors',
      errors: { [label]: 'Something else is called “Hires” already. Choose another label.' },
    })
    await simulator().submitModal('mira', { [label]: 'Distance ridden', [synonyms]: 'Mileage, odometer' })
    const edited = await homeOf('mira', /“Distance ridden” is accepted/)
    expect(words(edited.view)).not.toContain('sum of kilometres of hires')

    await clickHome('mira', edited, 'Accept')
    await homeOf('mira', /“Bicycles” is accepted/)
    expect(await decisions()).toEqual([
      named('bicycle_price', 'rejected'),
      named('hire_kilometres'),
      named('bicycle_count'),
    ])

    const question = await workspace.ask('@querent what is the mileage by kind?')
    expect(words((await workspace.reply(question, isTable)).blocks)).toContain('Distance ridden')
  })

  it('rebuilds an index for an admin', async () => {
    const home = await openHome('mira', /Rebuild the index of cycles/)
    await clickHome('mira', home, 'Rebuild the index of cycles')
    const done = await homeOf('mira', /The index of cycles is rebuilt: 3 tables/)
    expect(words(done.view)).toContain('shipped with Querent')
  })
})

describe('/querent', () => {
  it('helps, also with words it does not know', async () => {
    expect(await command('ada', '/querent')).toContain('/querent schema TABLE')
    const unknown = await command('ada', '/querent how many hires?')
    expect(unknown).toContain("I don't know the command “how many hires?”")
    expect(unknown).toContain('`/querent ask how many hires?`')
  })

  it('asks in the channel for the person who typed it', async () => {
    await simulator().command('ada', '#sales', '/querent ask how many bicycles are there by kind?')
    const question = await askedFor('ada')
    expect(question.text).toBe(`<@${idOf('ada')}> asks: how many bicycles are there by kind?`)
    const answer = await simulator().until(
      () =>
        simulator()
          .thread(question.channel, question.ts)
          .find(said => isTable(said)),
      PATIENCE_MS,
    )
    expect(answer.threadTs).toBe(question.ts)
    const [row] = await workspace.watcher.rows(
      "select asked_by from querent.questions where place ->> 'message' = $1",
      [question.ts],
    )
    expect(row).toEqual({ asked_by: idOf('ada') })
    expect(await command('ada', '/querent ask')).toContain('There is no question')
  })

  it('posts nothing for a person without permission to ask', async () => {
    const before = simulator().messages().length
    expect(await command('noor', '/querent ask how many hires are there?')).toContain("I don't answer guests")
    expect(await command('ada', '/querent ask how many hires are there?', '#random')).toContain(
      'only some people',
    )
    expect(simulator().messages()).toHaveLength(before + 2)
  })

  it('shows tables and columns to people who can ask', async () => {
    const tables = await command('ada', '/querent schema')
    expect(tables).toContain('`bicycles`  48 rows')
    const columns = await command('ada', '/querent schema Bicycles')
    expect(columns).toContain('`price`')
    expect(await command('ada', '/querent schema bikes')).toContain('Similar tables: bicycles')
    expect(await command('noor', '/querent schema')).toContain("I don't answer guests")
  })

  it('tells of verified queries, and admins how it does', async () => {
    expect(await command('ada', '/querent verified')).toContain('cycles has no verified queries yet')
    expect(await command('ada', '/querent admin')).toContain('Only admins can see this')
    expect(await command('mira', '/querent admin')).toContain('*Votes*')
  })
})
