import type { Browser } from 'playwright-core'
import { openWorkspace, type TestWorkspace } from '../e2e/open-workspace.ts'
import { launchChromium } from '../simulator/launch-chromium.ts'
import { openVisitor, type Visitor } from './open-visitor.ts'

/** The bot, the simulator and a browser, as `npm run demo` has them but for the database. */
export interface BrowserSession extends AsyncDisposable {
  readonly workspace: TestWorkspace
  /** Somebody opens the page, until `leave`. */
  visit(handle: string): Promise<Visitor>
  /** What each person sees and what the bot logged, to find out why a test failed. */
  seen(): Promise<string>
  /** Everybody closes the page. Returns what went wrong in it, and what Slack would have refused of the bot's. */
  leave(): Promise<readonly string[]>
}

/** Opens it with the bot not yet running; answers can be passed on to people in #random. */
export const openBrowserSession = async (): Promise<BrowserSession> => {
  const undo = new AsyncDisposableStack()
  try {
    const workspace = undo.use(await openWorkspace({ humansIn: 'random' }))
    const browser: Browser = undo.adopt(await launchChromium(), started => started.close())
    const visitors: Visitor[] = []
    return {
      workspace,
      visit: async handle => {
        const visitor = await openVisitor(browser, workspace.simulator, handle)
        visitors.push(visitor)
        return visitor
      },
      seen: async () => {
        const pages = visitors.map(({ page }) => page.locator('body').innerText({ timeout: 5_000 }))
        const shown = await Promise.allSettled(pages)
        const words = shown.map(page => (page.status === 'fulfilled' ? page.value : String(page.reason)))
        return [...words, ...workspace.bot.complaints()].join('\n----\n')
      },
      leave: async () => {
        const gone = visitors.splice(0)
        await Promise.all(gone.map(visitor => visitor[Symbol.asyncDispose]()))
        return [
          ...gone.flatMap(({ faults }) => faults),
          ...workspace.simulator.problems().flatMap(({ problems }) => problems),
        ]
      },
      [Symbol.asyncDispose]: () => undo.disposeAsync(),
    }
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
}
