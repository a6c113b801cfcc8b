import type { Browser, Locator, Page } from 'playwright-core'
import type { Simulator } from '../../simulator/simulator.ts'

/** Somebody at the simulator's page, in a browser of their own. */
export interface Visitor extends AsyncDisposable {
  readonly page: Page
  /** The open thread. */
  readonly thread: Locator
  /** What went wrong in the page: exceptions, and what the browser complained of. */
  readonly faults: readonly string[]
  /** Mentions the bot in #sales; the thread of the question is open then. */
  ask(text: string): Promise<void>
  /** Opens the thread below a message of #sales that holds the text. */
  openThread(text: string): Promise<void>
  /** Replies in the open thread. */
  say(text: string): Promise<void>
  /** Waits until the latest message of the thread is an answer with a table, and returns its cells, header first. */
  table(): Promise<readonly (readonly string[])[]>
  /** The latest message of the thread. */
  latest(): Locator
  button(name: string): Locator
  /** Chooses from the menu of the latest answer. */
  choose(name: string): Promise<void>
  modal(title: string): Locator
}

/** A busy machine takes its time; nothing here is about speed. */
const WAIT_MS = 75_000

/** Opens the page in #sales, as the person of that handle. */
export const openVisitor = async (
  browser: Browser,
  simulator: Pick<Simulator, 'url'>,
  handle: string,
  viewport = { width: 1280, height: 800 },
): Promise<Visitor> => {
  // What turns or breathes keeps the processor busy that the bot needs.
  const context = await browser.newContext({ viewport, acceptDownloads: true, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(`${simulator.url}/?me=${handle}`)
  await page.getByRole('button', { name: 'sales' }).click()

  const thread = page.getByRole('complementary', { name: 'Thread' })
  const latest = (): Locator => thread.getByRole('article').last()
  const write = async (field: Locator, text: string): Promise<void> => {
    await field.fill(text)
    await field.press('Enter')
  }
  return {
    page,
    thread,
    faults,
    latest,
    ask: async text => {
      await write(page.getByRole('textbox', { name: 'Message #sales' }), `@querent ${text}`)
      await thread.getByRole('article').first().getByText(text).waitFor()
    },
    openThread: async text => {
      const message = page.getByRole('main').getByRole('article').filter({ hasText: text }).last()
      await message
        .getByRole('button', { name: /repl(y|ies)/ })
        .first()
        .click()
      await thread.getByRole('article').first().getByText(text).waitFor()
    },
    say: text => write(thread.getByRole('textbox', { name: 'Reply …' }), text),
    table: async () => {
      const rows = latest().getByRole('table').getByRole('row')
      await rows.first().waitFor()
      return (await rows.allInnerTexts()).map(row => row.split('\t'))
    },
    button: name => latest().getByRole('button', { name, exact: true }),
    choose: async name => {
      await latest().getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    },
    modal: title => page.getByRole('dialog', { name: title }),
    [Symbol.asyncDispose]: () => context.close(),
  }
}
