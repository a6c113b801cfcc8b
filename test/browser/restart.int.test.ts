import { expect, it } from 'vitest'
import { hasChromium } from '../simulator/launch-chromium.ts'
import { openBrowserSession } from './open-browser-session.ts'

const MINUTES = 300_000

it.skipIf(!hasChromium('a restart of the bot, in a browser'))(
  'in the browser, a question back that waits outlives a restart of the bot',
  { timeout: MINUTES },
  async () => {
    await using session = await openBrowserSession()
    const { bot, watcher } = session.workspace
    const first = await bot.start()
    const ada = await session.visit('ada')
    await ada.ask('number of hires by country')
    try {
      await ada.button('Return country').waitFor()
    } catch (error) {
      throw new Error(`not asked back, but: ${await session.seen()}`, { cause: error })
    }
    await watcher.until(
      "select 1 where not exists (select from querent_jobs.job where state in ('created', 'retry', 'active') and name = 'question')",
    )
    await first.end('SIGKILL')

    // Meanwhile a click says that nobody is there.
    await ada.button('Return country').click()
    await ada.page.getByRole('alert').getByText('querent is not running').waitFor()

    await bot.start()
    await ada.button('Return country').click()
    expect((await ada.table()).slice(1).toSorted()).toEqual([
      ['Denmark', '125'],
      ['Norway', '125'],
      ['Portugal', '250'],
    ])
    expect(await ada.thread.getByRole('article').count()).toBe(2)
    expect(await session.leave()).toEqual([])
  },
)
