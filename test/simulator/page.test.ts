import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { hasChromium, launchChromium } from './launch-chromium.ts'
import { startShowingBot } from './start-showing-bot.ts'
import { startTestSimulator } from './start-test-simulator.ts'
import type { TinyBot } from './start-tiny-bot.ts'

describe.skipIf(!hasChromium('the page of the simulator'))('the page', { timeout: 30_000 }, () => {
  let browser: Browser
  let simulator: Simulator
  let bot: TinyBot
  let page: Page
  const votes: string[] = []
  const faults: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  }, 30_000)
  afterAll(() => browser.close())

  beforeEach(async () => {
    votes.length = 0
    faults.length = 0
    simulator = await startTestSimulator()
    bot = await startShowingBot(simulator, votes)
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(8_000)
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(simulator.url)
  }, 30_000)
  afterEach(async () => {
    await page.close()
    await bot[Symbol.asyncDispose]()
    await simulator.close()
    expect(faults).toEqual([])
  }, 30_000)

  const thread = () => page.getByRole('complementary', { name: 'Thread' })
  const say = async (field: string, text: string) => {
    await page.getByRole('textbox', { name: field }).fill(text)
    await page.keyboard.press('Enter')
  }

  it('says what it is', async () => {
    await expect(page.getByRole('note').innerText()).resolves.toContain('Simulator, not Slack.')
  })

  it('shows a question, the answer as a table, its SQL, its file and a vote', async () => {
    await say('Message #general', '@querent which town has the most gardens?')
    await thread().getByText('Ulm has the most gardens: 3.').waitFor()
    expect(await thread().getByRole('table').getByRole('row').allInnerTexts()).toEqual([
      'town\tgardens',
      'Ulm\t3',
      'Trier\t2',
      '–\t1',
    ])
    await thread().getByRole('button', { name: 'Show SQL' }).click()
    await page.getByRole('dialog', { name: 'SQL' }).getByText('select count(*) from gardens').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await thread().getByRole('button', { name: 'This answer is right' }).click()
    await simulator.until(() => votes.length > 0)
    expect(votes).toEqual(['up:q1'])

    await thread().getByRole('button', { name: 'Export CSV' }).click()
    const download = page.waitForEvent('download')
    await thread().getByRole('link', { name: 'gardens.csv' }).click()
    expect((await download).suggestedFilename()).toBe('gardens.csv')
    await thread().getByText('Only visible to you').waitFor()
    await page.getByRole('button', { name: 'Mira Costa' }).click()
    await thread().getByRole('link', { name: 'gardens.csv' }).waitFor()
    await thread().getByText('Only visible to you').waitFor({ state: 'detached' })
    expect(simulator.problems()).toEqual([])
  })

  it('asks in a modal, shows its errors and takes a second answer', async () => {
    await say('Message #general', '@querent something vague')
    await thread().getByRole('button', { name: 'Something else…' }).click()
    const form = page.getByRole('dialog', { name: 'Something else' })
    await form.waitFor()
    await page.keyboard.press('Enter')
    await form.getByText('Please complete this required field.').waitFor()
    await page.keyboard.type('nothing')
    await page.keyboard.press('Enter')
    await form.getByText('Say something.').waitFor()
    await form.getByRole('textbox').fill('the public ones')
    await form.getByRole('button', { name: 'Answer' }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('shows that the bot works, and takes what is written on several lines', async () => {
    await page.getByRole('button', { name: 'sales' }).click()
    const field = page.getByRole('textbox', { name: 'Message #sales' })
    await field.fill('@querent wait')
    await field.press('Shift+Enter')
    await page.keyboard.type('for me')
    await page.keyboard.press('Enter')
    await thread().getByText('querent is working …').waitFor()
    expect(simulator.messages()[0]?.text).toBe(`<@${simulator.bot.id}> wait\nfor me`)
  })

  it('shows the Home tab of the bot, and direct messages to their person alone', async () => {
    await page.getByRole('button', { name: 'querent', exact: true }).click()
    await page.getByRole('tab', { name: 'Home' }).click()
    await page.getByText('I answer questions about').waitFor()
    await page.getByRole('tab', { name: 'Messages' }).click()
    await say('Ask querent', 'a secret')
    await thread().getByText('a secret').waitFor()
    await page.getByRole('button', { name: 'Jonas Meier' }).click()
    await page.getByRole('button', { name: 'querent', exact: true }).click()
    await page.getByText('Ask a question.').waitFor()
    expect(await page.getByText('a secret').count()).toBe(0)
  })

  it('says when the bot is not there', async () => {
    await say('Message #general', '@querent which town has the most gardens?')
    const button = thread().getByRole('button', { name: 'Show SQL' })
    await button.waitFor()
    simulator.setBotUrl(null)
    await button.click()
    await page.getByRole('alert').getByText('querent is not running').waitFor()
  })

  it('shows one thing at a time on a narrow screen', async () => {
    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByRole('button', { name: 'Show channels' }).click()
    await page.getByRole('button', { name: 'random' }).click()
    await say('Message #random', '@querent which town has the most gardens?')
    await thread().getByRole('table').waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(400)
    await thread().getByRole('button', { name: 'Close thread' }).click()
    await page.getByRole('button', { name: '1 reply' }).waitFor()
  })
})
