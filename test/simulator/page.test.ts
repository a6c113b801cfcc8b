import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { hasChromium, launchChromium } from './launch-chromium.ts'
import { startShowingBot } from './start-showing-bot.ts'
import { startTestSimulator } from './start-test-simulator.ts'
import type { TinyBot } from './start-tiny-bot.ts'

describe.skipIf(!hasChromium('the page of the simulator'))('the page', { timeout: 90_000 }, () => {
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
    simulator = await startTestSimulator({ commands: ['/gardens'] })
    bot = await startShowingBot(simulator, votes)
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(20_000)
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

  /** What has the focus, by the words on it or its label. */
  const focused = () =>
    page.evaluate<string>(
      "(e => e.getAttribute('aria-label') ?? e.textContent)(document.activeElement ?? document.body)",
    )

  it('says what it is', async () => {
    await expect(page.getByRole('note').innerText()).resolves.toContain('Simulator, not Slack.')
  })

  it('shows a question, the answer as a table, its SQL, its file and a vote', async () => {
    await say('Message #general', '@querent which town has the most gardens?')
    await thread().getByText('Ulm has the most gardens: 3.').waitFor()
    expect(await thread().getByRole('table').getByRole('row').allInnerTexts()).toEqual([
      'Town\tGardens',
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

  it('sorts a table and pages through it by keyboard', async () => {
    await say('Message #general', '@querent every town with its gardens')
    const table = thread().getByRole('table', { name: 'Gardens by town' })
    await table.waitFor()
    const towns = () => table.getByRole('rowheader').allInnerTexts()
    const pages = thread().getByRole('navigation', { name: 'Pages of Gardens by town' })
    expect((await towns())[0]).toBe('Town 25')
    expect(await pages.getByRole('status').innerText()).toBe('1–10 of 25')

    await table.getByRole('button', { name: 'Gardens' }).focus()
    await page.keyboard.press('Enter')
    expect((await towns()).slice(0, 3)).toEqual(['Town 1', 'Town 2', 'Town 3'])
    await table
      .getByRole('columnheader', { name: 'Gardens' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    // Words are sorted as words.
    await table.getByRole('button', { name: 'Town' }).focus()
    await page.keyboard.press('Space')
    expect((await towns()).slice(0, 3)).toEqual(['Town 1', 'Town 10', 'Town 11'])

    await pages.getByRole('button', { name: 'Next page' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await pages.getByRole('status').innerText()).toBe('21–25 of 25')
    expect(await towns()).toHaveLength(5)
    expect(await focused()).toBe('Next page')
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
    await form.getByRole('button', { name: 'Send' }).click()
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
    await page.getByText('Ask a question about your data').waitFor()
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
    await page.getByRole('main').waitFor({ state: 'hidden' })
    await thread().getByRole('button', { name: 'Close thread' }).click()
    await page.getByRole('button', { name: '1 reply' }).waitFor()
    expect(await focused()).toBe('Message #random')
  })

  it('is used by keyboard alone, and the focus comes back', async () => {
    await say('Message #general', '@querent which town has the most gardens?')
    await thread().getByRole('button', { name: 'Show SQL' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'SQL' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Show SQL')

    for (let step = 0; step < 4; step++) await page.keyboard.press('Tab')
    expect(await focused()).toBe('More actions')
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
    await page.keyboard.press('Space')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    expect(await focused()).toBe('How I got this')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('Save as verified')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    expect(await focused()).toBe('More actions')
    expect(votes).toEqual([])

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await simulator.until(() => votes.length > 0)
    expect(votes).toEqual(['verify:q1'])
    expect(await focused()).toBe('More actions')

    await page.keyboard.press('Escape')
    await thread().waitFor({ state: 'detached' })
    expect(await focused()).toBe('Message #general')
    await page.getByRole('button', { name: '1 reply' }).focus()
    await page.keyboard.press('Enter')
    await thread().waitFor()
    expect(await focused()).toBe('Reply …')
  })

  it('lets people change and take back what they said themselves', async () => {
    await say('Message #general', 'gardens are nice')
    const message = page.getByRole('article', { name: /^Ada Brandt/ })
    await message.getByRole('button', { name: 'Edit message' }).click()
    const field = message.getByRole('textbox', { name: 'Edit message' })
    await field.fill('gardens are lovely, @jonas')
    await field.press('Escape')
    await message.getByText('gardens are nice').waitFor()
    expect(await focused()).toBe('Edit message')
    await page.keyboard.press('Enter')
    await field.fill('gardens are lovely, @jonas')
    await field.press('Enter')
    await message.getByText('gardens are lovely').waitFor()
    await message.getByText('(edited)').waitFor()

    await page.getByRole('button', { name: 'Jonas Meier' }).click()
    await message.getByRole('button', { name: 'Reply in thread' }).waitFor()
    await message.getByRole('button', { name: 'Edit message' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ada Brandt' }).click()
    await message.getByRole('button', { name: 'Delete message' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click()
    await message.getByRole('button', { name: 'Delete message' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await message.waitFor({ state: 'detached' })
  })

  it('marks what each person has not read, and says what is new', async () => {
    await say('Message #general', '@querent which town has the most gardens?')
    await thread().getByRole('table').waitFor()
    const spoken = page.locator('[aria-live="polite"]')
    expect(await spoken.textContent()).toContain('querent: Ulm has the most gardens: 3.')

    await page.getByRole('button', { name: 'sales' }).click()
    await simulator.post({ by: 'jonas', in: '#general', text: 'which ones?' })
    await page.getByRole('button', { name: 'general 1 unread' }).click()
    await page.getByRole('heading', { name: '# general' }).waitFor()
    expect(await page.getByText('unread').count()).toBe(0)

    await page.getByRole('button', { name: 'Jonas Meier' }).click()
    await page.getByRole('button', { name: '1 reply 1 new' }).click()
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' })
  })

  it('offers the commands that there are, and shows what they answer', async () => {
    await page.getByRole('textbox', { name: 'Message #general' }).fill('/')
    await page.getByRole('button', { name: '/gardens' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('Only visible to you').waitFor()
    await page.getByText('Try: which town has the most?', { exact: true }).waitFor()
  })

  it('has an address for every thread: links, reloading and going back lead there', async () => {
    const { channel, ts } = await simulator.post({ by: 'jonas', in: '#sales', text: 'look here' })
    const link = `https://querent-demo.slack.com/archives/${channel}/p${ts.replace('.', '')}`
    await bot.app.client.chat.postMessage({
      token: simulator.botToken,
      channel: simulator.channels.find(({ name }) => name === 'general')?.id ?? '',
      text: `see <${link}|that thread> of <!date^200000^{date_short} {time}|long ago>`,
    })
    await page
      .getByRole('main')
      .getByText(/of Jan \d, 1970 \d\d:\d\d/)
      .waitFor()
    await page.getByRole('link', { name: 'that thread' }).click()
    await page.getByRole('heading', { name: '# sales' }).waitFor()
    await thread().getByText('look here').waitFor()
    await page.reload()
    await thread().getByText('look here').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: '# general' }).waitFor()
    await thread().waitFor({ state: 'detached' })
  })

  it('is dark or light as the system prefers or as one says, and all of it can be read', async () => {
    await say('Message #general', '@querent which town has the most gardens?')
    await thread().getByRole('table').waitFor()
    await bot.app.client.chat.postMessage({
      token: simulator.botToken,
      channel: simulator.channels.find(({ name }) => name === 'general')?.id ?? '',
      text: 'gardens',
      blocks: [
        {
          type: 'markdown',
          text: '# Gardens\n\n**Ulm** has `3`, see [there](https://example.org).\n\n- one',
        },
      ],
    })
    await page.getByText('Ulm', { exact: true }).waitFor()
    const ground = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.channel-pane')).backgroundColor")
    const light = await ground()
    expect(await page.evaluate(faintTexts)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground()).not.toBe(light)
    expect(await page.evaluate(faintTexts)).toEqual([])
    await page.getByRole('button', { name: 'Light', exact: true }).click()
    expect(await ground()).toBe(light)
    await page.reload()
    await page.getByRole('main').waitFor()
    expect(await ground()).toBe(light)
  })
})

/** Texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3); disabled controls are exempt. */
const faintTexts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const over = ([r, g, b, a], [R, G, B]) => [[r, R], [g, G], [b, B]].map(([x, X]) => (x * a + X * (255 - a)) / 255)
  const behind = element => {
    const layers = []
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor))
    return layers.reduceRight((ground, layer) => over(layer, ground), [255, 255, 255])
  }
  const luminance = colour => {
    const [r, g, b] = colour.map(part => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const faint = []
  for (const element of document.querySelectorAll('body *')) {
    const said = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '')
    if (!said || !element.checkVisibility() || element.closest(':disabled, .spoken, script')) continue
    const ground = behind(element)
    const ink = over(rgba(getComputedStyle(element).color), ground)
    const [high, low] = [luminance(ink), luminance(ground)].sort((a, b) => b - a)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < 4.5) faint.push(element.className + ' "' + element.textContent.slice(0, 30) + '" ' + contrast.toFixed(2))
  }
  return faint
})()`
