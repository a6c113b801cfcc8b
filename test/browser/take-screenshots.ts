import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { startDemo } from '../../simulator/start-demo.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeReleasers } from '../../src/lib/releasers.ts'
import { launchChromium } from '../simulator/launch-chromium.ts'
import { openVisitor, type Visitor } from './open-visitor.ts'

/** `npm run screenshots`: the pictures of README and docs, taken of the demo with the sample company. */

const folder = join(import.meta.dirname, '../../docs/images')

const clear = 'how many orders were placed last month by region?'

const monthly = 'how many orders were placed in 2025 by month?'

/** What is on a picture: whose page it is, how it got there, and in which scheme. */
interface Scene {
  readonly name: string
  readonly by: string
  readonly scheme?: 'dark'
  play(visitor: Visitor): Promise<void>
}

const openHome = async ({ page }: Visitor): Promise<void> => {
  await page.getByRole('button', { name: /^querent/ }).click()
  await page.getByRole('tab', { name: 'Home' }).click()
  await page.getByRole('main').getByRole('heading', { level: 3 }).first().waitFor()
}

/** Makes a digest of the latest answer of the open thread, for #sales. */
const schedule = async (visitor: Visitor, title: string): Promise<void> => {
  await visitor.button('Schedule').click()
  const form = visitor.modal('Schedule')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('When').fill('every monday at 9')
  await form.getByRole('button', { name: 'Schedule' }).click()
  await visitor.modal('Scheduled').getByText(title).waitFor()
  await visitor.page.keyboard.press('Escape')
}

/** Has the digest posted now; the Home tab is open. */
const runNow = async ({ page }: Visitor, title: string): Promise<void> => {
  const home = page.getByRole('main')
  await home.locator('.section', { hasText: title }).first().waitFor()
  const at = (await home.locator('.section', { hasText: /every /i }).allInnerTexts()).findIndex(text =>
    text.startsWith(title),
  )
  await home.getByRole('button', { name: 'Run now' }).nth(at).click()
  await home.getByText('is running. It is posted').waitFor()
}

/** Scrolls to an element of a view that may be drawn again in the meantime. */
const scrollTo = async (element: Locator): Promise<void> => {
  for (let tries = 1; tries < 10; tries++) {
    const isThere = await element.scrollIntoViewIfNeeded().then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  await element.scrollIntoViewIfNeeded()
}

const scenes: readonly Scene[] = [
  {
    name: 'answer',
    by: 'ada',
    play: async ada => {
      await ada.ask(clear)
      await ada.table()
    },
  },
  {
    name: 'question-back',
    by: 'jonas',
    play: async jonas => {
      await jonas.ask('orders by country')
      await jonas.button('Something else…').waitFor()
    },
  },
  {
    name: 'chart',
    by: 'mira',
    play: async mira => {
      await mira.ask(monthly)
      await mira.latest().getByRole('img', { name: 'Line chart' }).waitFor()
    },
  },
  {
    name: 'direct-messages',
    by: 'ada',
    play: async ({ page }) => {
      await page.getByRole('button', { name: /^querent/ }).click()
      await page.getByRole('region', { name: 'Try one of these' }).getByRole('button').first().click()
      await page
        .getByRole('complementary', { name: 'Thread' })
        .getByRole('button', { name: 'Show SQL' })
        .waitFor()
    },
  },
  {
    name: 'follow-up',
    by: 'jonas',
    scheme: 'dark',
    play: async jonas => {
      await jonas.openThread(clear)
      await jonas.say('only North and South')
      await jonas.thread.getByRole('article').nth(3).getByRole('table').waitFor()
    },
  },
  {
    name: 'edit-refused',
    by: 'jonas',
    play: async jonas => {
      await jonas.openThread(clear)
      await jonas.button('Edit & rerun').click()
      const form = jonas.modal('Edit & rerun')
      await form.getByRole('textbox', { name: 'SQL' }).fill("DELETE FROM orders WHERE status = 'cancelled'")
      await form.getByRole('button', { name: 'Run' }).click()
      await form.getByRole('alert').waitFor()
    },
  },
  {
    name: 'schedule',
    by: 'ada',
    play: async ada => {
      await ada.openThread(monthly)
      await ada.button('Schedule').click()
      const form = ada.modal('Schedule')
      await form.getByLabel('Title').fill('Orders by month')
      await form.getByLabel('When').fill('every monday at 9')
    },
  },
  {
    name: 'digest',
    by: 'mira',
    play: async mira => {
      await mira.openThread(clear)
      await schedule(mira, 'Orders of last month by region')
      await mira.openThread(monthly)
      await schedule(mira, 'Orders by month')
      await openHome(mira)
      await runNow(mira, 'Orders by month')
      await mira.page.getByRole('button', { name: 'sales' }).click()
      const posted = mira.page.getByRole('main').getByRole('article').last()
      await posted.getByRole('img').waitFor()
      await mira.page.waitForFunction("document.querySelector('main .picture img')?.naturalWidth > 0")
      await scrollTo(posted.getByRole('button', { name: 'Show SQL' }))
    },
  },
  {
    name: 'home-digests',
    by: 'mira',
    play: async mira => {
      await openHome(mira)
      await scrollTo(mira.page.getByRole('button', { name: 'Hand over' }).last())
    },
  },
  {
    name: 'app-home',
    by: 'mira',
    play: openHome,
  },
]

const take = async (browser: Browser, url: string, scene: Scene): Promise<void> => {
  await using visitor = await openVisitor(browser, { url }, scene.by)
  await visitor.page.emulateMedia({ colorScheme: scene.scheme ?? 'light', reducedMotion: 'reduce' })
  await scene.play(visitor)
  await visitor.page.mouse.move(640, 20)
  await visitor.page.screenshot({ path: join(folder, `${scene.name}.png`) })
  if (visitor.faults.length > 0) throw new Error(`${scene.name}: ${visitor.faults.join('; ')}`)
}

const releasers = makeReleasers()

try {
  const browser = await launchChromium()
  releasers.push(() => browser.close())
  const { simulator } = await startDemo({
    configured: loadConfig(),
    store: 'querent_screenshots',
    log: silentLog,
    releasers,
    now: () => new Date(),
    say: line => console.info(line),
  })
  await mkdir(folder, { recursive: true })
  // One after the other: later scenes go on in the threads of earlier ones.
  for (const scene of scenes) {
    await take(browser, simulator.url, scene)
    console.info(`docs/images/${scene.name}.png`)
  }
} finally {
  await releasers.release()
}
