import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium } from '../simulator/launch-chromium.ts'
import { type BrowserSession, openBrowserSession } from './open-browser-session.ts'

/** What people do in Slack, done by hand in a browser: the bot, the simulator and the page are the real ones. */

const clear = 'how many bicycles are there by kind?'
const vague = 'number of hires by country'
const byKind = [
  ['cargo', '16'],
  ['folding', '16'],
  ['tandem', '16'],
]
const byReturn = [
  ['Denmark', '125'],
  ['Norway', '125'],
  ['Portugal', '250'],
]
const byPickup = [
  ['Denmark', '167'],
  ['Norway', '166'],
  ['Portugal', '167'],
]
const MINUTES = 300_000

const sorted = (table: readonly (readonly string[])[]) => table.slice(1).toSorted()

describe.skipIf(!hasChromium('the bot in a browser'))('in the browser', { timeout: MINUTES }, () => {
  let session: BrowserSession
  const visit = (handle = 'ada') => session.visit(handle)
  const simulator = () => session.workspace.simulator
  const nameOf = (handle: string): string =>
    simulator().people.find(person => person.handle === handle)?.name ?? ''

  beforeAll(async () => {
    session = await openBrowserSession()
    await session.workspace.bot.start()
  }, MINUTES)
  afterAll(() => session?.[Symbol.asyncDispose]())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.info(await session.seen())
    expect(await session.leave()).toEqual([])
  })

  it('a clear question gets one answer: headline, table, context, actions, thumbs', async () => {
    const ada = await visit()
    await ada.ask(clear)
    expect(sorted(await ada.table())).toEqual(byKind)
    const parts = await ada.latest().innerText()
    const order = [
      '3 rows',
      'folding',
      'same rows for everyone',
      'Show SQL',
      'Export CSV',
      'Edit & rerun',
      'Right',
      'Wrong',
    ]
    expect(order.map(part => parts.indexOf(part))).toEqual(
      order.map(part => parts.indexOf(part)).toSorted((a, b) => a - b),
    )
    expect(parts.indexOf('Bicycles: the same for every kind, 16 each')).toBeGreaterThan(-1)
    expect(await ada.thread.getByRole('article').count()).toBe(2)
    await ada.button('Show SQL').click()
    await ada
      .modal('SQL')
      .getByText(/group by/i)
      .first()
      .waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.modal('SQL').waitFor({ state: 'detached' })
  })

  it('a vague question is asked back with buttons, and a click becomes the answer', async () => {
    const ada = await visit()
    await ada.ask(vague)
    await ada.button('Return country').click()
    expect(sorted(await ada.table())).toEqual(byReturn)
    expect(await ada.thread.getByRole('article').count()).toBe(2)
    expect(await ada.button('Something else…').count()).toBe(0)
  })

  it('a vague question takes a typed reply too', async () => {
    const ada = await visit()
    await ada.ask(vague)
    await ada.button('Something else…').waitFor()
    await ada.say('pickup country')
    const answer = ada.thread.getByRole('article').nth(1)
    await answer.getByRole('table').waitFor()
    const rows = await answer.getByRole('row').allInnerTexts()
    expect(sorted(rows.map(row => row.split('\t')))).toEqual(byPickup)
  })

  it('a follow-up by another person needs no mention', async () => {
    const [ada, jonas] = [await visit('ada'), await visit('jonas')]
    await ada.ask(clear)
    await ada.table()
    await jonas.openThread(clear)
    await jonas.say('only cargo and tandem')
    await jonas.thread.getByRole('article').nth(3).getByRole('table').waitFor()
    expect(sorted(await jonas.table())).toEqual([
      ['cargo', '16'],
      ['tandem', '16'],
    ])
    expect(await ada.thread.getByRole('article').nth(2).innerText()).toContain(nameOf('jonas'))
    expect(await ada.table()).toEqual(await jonas.table())
  })

  it('a wide and long result says what was cut, scrolls inside of its message, and has pages', async () => {
    const ada = await visit()
    await ada.ask(clear)
    await ada.table()
    await ada.button('Edit & rerun').click()
    const columns = Array.from({ length: 34 }, (_, i) => `i * ${i + 1} as measure_${i + 1}`)
    const sql = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1204)
      select ${columns.join(', ')} from n`
    const form = ada.modal('Edit & rerun')
    await form.getByRole('textbox', { name: 'SQL' }).fill(sql)
    await form.getByRole('button', { name: 'Run' }).click()
    await ada
      .latest()
      .getByText(/of 1,204 rows/)
      .first()
      .waitFor()
    await ada
      .latest()
      .getByText(/of 34 columns/)
      .first()
      .waitFor()
    expect((await ada.table()).length).toBeLessThanOrEqual(101)
    const [wide, page] = await ada.page.evaluate<[boolean, boolean]>(`[
      (box => box.scrollWidth > box.clientWidth)([...document.querySelectorAll('.thread-pane .table-box')].at(-1)),
      document.documentElement.scrollWidth > innerWidth,
    ]`)
    expect({ wide, page }).toEqual({ wide: true, page: false })
    const before = await ada.table()
    await ada.latest().getByRole('button', { name: 'Next page' }).click()
    expect(await ada.table()).not.toEqual(before)
  })

  it('a result is shown as a chart in its message, and as a table again', async () => {
    const ada = await visit()
    await ada.ask(clear)
    await ada.table()
    await ada.choose('Show as chart')
    const picture = ada.latest().getByRole('img', { name: /by kind/i })
    await picture.waitFor()
    expect(await ada.latest().getByRole('table').count()).toBe(0)
    await ada.choose('Show as table')
    expect(sorted(await ada.table())).toEqual(byKind)
    expect(await ada.thread.getByRole('article').count()).toBe(2)
  })

  it('a result is downloaded as CSV', async () => {
    const ada = await visit()
    await ada.ask(clear)
    await ada.button('Export CSV').click()
    const link = ada.thread.getByRole('link', { name: /\.csv/ })
    const [download] = await Promise.all([ada.page.waitForEvent('download'), link.click()])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines[0]?.replace('\uFEFF', '').split(',')).toEqual(['kind', 'bicycles'])
    expect(lines.slice(1).toSorted()).toEqual(byKind.map(row => row.join(',')))
  })

  it('an edited query that would write is refused by the guard, in the form', async () => {
    const jonas = await visit('jonas')
    await jonas.ask(clear)
    await jonas.table()
    await jonas.button('Edit & rerun').click()
    const form = jonas.modal('Edit & rerun')
    const field = form.getByRole('textbox', { name: 'SQL' })
    await field.fill('delete from bicycles')
    await form.getByRole('button', { name: 'Run' }).click()
    await form
      .getByRole('alert')
      .getByText(/DELETE/)
      .waitFor()
    // What is wrong is said at the input, where one goes on.
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await jonas.page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    expect(sorted(await jonas.table())).toEqual(byKind)
    expect(await jonas.latest().innerText()).not.toContain('edited by')
  })

  it('Stop ends the work, and the timeline with it', async () => {
    const ada = await visit()
    const lock = await session.workspace.watcher.lock('querent.saved_results')
    await ada.ask(clear)
    const stop = ada.button('Stop working on this question')
    await ada.latest().getByRole('list', { name: 'Progress' }).waitFor()
    await lock.blocks()
    await stop.click()
    await session.workspace.watcher.until(
      "select from querent.questions where status in ('stopping', 'stopped')",
    )
    await lock.release()
    await ada
      .latest()
      .getByText(`Stopped by @${nameOf('ada')}.`)
      .waitFor()
    expect(await stop.count()).toBe(0)
    await ada.button('Ask again').click()
    expect(sorted(await ada.table())).toEqual(byKind)
  })

  it('a thumb down asks why, and the reason is kept', async () => {
    const mira = await visit('mira')
    await mira.ask(clear)
    await mira.table()
    await mira.button('This answer is wrong').click()
    const form = mira.modal('What was wrong?')
    await form.getByRole('radio', { name: 'Wrong filter' }).check()
    await form.getByRole('textbox', { name: 'In your own words' }).fill('Only those we still have.')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.waitFor({ state: 'detached' })
    await mira
      .latest()
      .getByText(/marked wrong by 1/)
      .waitFor()
    const kept = await session.workspace.watcher.until(
      "select reason, note from querent.feedback where kind = 'reason'",
    )
    expect(kept).toEqual([{ reason: 'wrong-filter', note: 'Only those we still have.' }])
  })

  it('a human is asked, and says so in the thread', async () => {
    const [ada, mira] = [await visit('ada'), await visit('mira')]
    await ada.ask(clear)
    await ada.table()
    await ada.choose('Ask a human')
    await ada.thread.getByText('Only visible to you').waitFor()

    await mira.page.getByRole('button', { name: /random.*unread/ }).click()
    const request = mira.page.getByRole('main').getByRole('article').last()
    await request.getByText(/asks whether/).waitFor()
    await request.getByRole('button', { name: 'Approve' }).click()
    await ada.thread.getByText(/confirmed this answer/).waitFor()
    await ada.thread
      .getByRole('article')
      .nth(1)
      .getByText(`Confirmed by @${nameOf('mira')}`)
      .waitFor()
    await request.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
  })

  it('two people who ask at once get each their own answer', async () => {
    const [ada, jonas] = [await visit('ada'), await visit('jonas')]
    await Promise.all([ada.ask(clear), jonas.ask('how many riders are there?')])
    expect(sorted(await ada.table())).toEqual(byKind)
    await jonas.latest().getByText(/: 40/).first().waitFor()
    for (const { thread } of [ada, jonas]) expect(await thread.getByRole('article').count()).toBe(2)
  })

  it('20 questions at once are all answered, each once', async () => {
    const ada = await visit()
    const kinds = ['cargo', 'folding', 'tandem']
    const before = simulator().messages().length
    const asked = Array.from({ length: 20 }, (_, i) =>
      i % 4 === 3 ? clear : `how many bicycles of kind ${kinds[i % 4]} are there?`,
    )
    const field = ada.page.getByRole('textbox', { name: 'Message #sales' })
    for (const question of asked) {
      await field.fill(`@querent ${question}`)
      await field.press('Enter')
    }
    const main = ada.page.getByRole('main').getByRole('article')
    await simulator().until(
      () =>
        simulator()
          .messages()
          .slice(before)
          .filter(({ threadTs, byBot }) => threadTs === null && !byBot).length === 20,
    )
    const questions = simulator()
      .messages()
      .slice(before)
      .filter(({ threadTs, byBot }) => threadTs === null && !byBot)
    const answers = await Promise.all(
      questions.map(question =>
        session.workspace.reply(question, ({ text }) => /16 each$|: 16$/.test(text), 120_000),
      ),
    )
    expect(new Set(answers.map(({ threadTs }) => threadTs)).size).toBe(20)
    for (const question of questions) {
      const shown = main.and(ada.page.locator(`[data-ts="${question.ts}"]`))
      await shown.getByRole('button', { name: /^1 reply/ }).waitFor()
    }
    expect(await ada.page.getByText('The simulator does not answer.').count()).toBe(0)
  })
})
