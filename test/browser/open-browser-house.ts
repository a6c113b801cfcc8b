import type { Browser } from 'playwright-core'
import { openWorkspace, type TestWorkspace } from '../e2e/open-workspace.ts'
import { launchChromium } from '../simulator/launch-chromium.ts'
import { openVisitor, type Visitor } from './open-visitor.ts'

/** The bot, the simulator and a browser, as `npm run demo` has them but for the database. */
export interface BrowserHouse extends AsyncDisposable {
  readonly workspace: TestWorkspace
  /** Somebody opens the page, until `leave`. */
  visit(handle: string): Promise<Visitor>
  /** Everybody closes the page. Returns what went wrong in it, and what Slack would have refused of the bot's. */
  leave(): Promise<readonly string[]>
}

/** Opens it with the bot not yet running; answers can be passed on to people in #random. */
export const openBrowserHouse = async (): Promise<BrowserHouse> => {
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
