import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium } from '../simulator/launch-chromium.ts'
import { type BrowserSession, openBrowserSession } from './open-browser-session.ts'

/** An answer that comes again and again, by hand in a browser. */

const MINUTES = 300_000

describe.skipIf(!hasChromium('digests in a browser'))('in the browser', { timeout: MINUTES }, () => {
  let session: BrowserSession
  beforeAll(async () => {
    session = await openBrowserSession()
    await session.workspace.bot.start()
  }, MINUTES)
  afterAll(() => session?.[Symbol.asyncDispose]())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.info(await session.seen())
    expect(await session.leave()).toEqual([])
  })

  it('an answer is scheduled, run from App Home, and deleted after a question', async () => {
    const ada = await session.visit('ada')
    await ada.ask('how many bicycles are there by kind?')
    await ada.table()
    await ada.button('Schedule').click()
    const form = ada.modal('Schedule')
    await form.getByLabel('Title').fill('Bicycles by kind')
    await form.getByLabel('When').fill('whenever')
    await form.getByRole('button', { name: 'Schedule' }).click()
    await form.getByRole('alert').waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('Bicycles by kind')
    await form.getByLabel('When').fill('fridays at 17:30')
    await form.getByLabel('Channel (optional)').selectOption({ label: '#random' })
    await form.getByRole('button', { name: 'Schedule' }).click()
    await ada.modal('Scheduled').getByText('Next runs').waitFor()
    await ada.page.keyboard.press('Escape')

    const home = ada.page.getByRole('main')
    await ada.page.getByRole('button', { name: /^querent/ }).click()
    await ada.page.getByRole('tab', { name: 'Home' }).click()
    await home.getByText('Bicycles by kind').waitFor()
    await home
      .getByText(/#random/)
      .last()
      .waitFor()
    await home.getByRole('button', { name: 'Run now' }).click()
    await home.getByText('is running. It is posted').waitFor()
    await ada.page.getByRole('button', { name: 'random' }).click()
    const posted = home.getByRole('article').last()
    await posted.getByRole('heading', { name: 'Bicycles by kind' }).waitFor()
    expect(await posted.getByRole('row').count()).toBe(4)

    await ada.page.getByRole('button', { name: /^querent/ }).click()
    await ada.page.getByRole('tab', { name: 'Home' }).click()
    // Opening the tab renders it again without the note; until then buttons still move.
    await home.getByText('is running. It is posted').waitFor({ state: 'detached' })
    await home.getByRole('button', { name: 'Delete' }).click()
    await ada.page.getByRole('button', { name: 'Keep' }).click()
    await home.getByRole('button', { name: 'Delete' }).click()
    await ada.page
      .getByRole('alertdialog')
      .or(ada.page.getByRole('dialog'))
      .getByRole('button', { name: 'Delete' })
      .click()
    await home.getByText('is deleted').waitFor()
    await home.getByText('None yet').waitFor()
  })
})
