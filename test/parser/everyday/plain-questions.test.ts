import { describe, expect, it } from 'vitest'
import { readFirst } from '../read.ts'

/** Everyday questions about one table of the library. */
describe('counts', () => {
  it.each([
    ['how many authors do we have', 'SELECT COUNT(*) AS number_of_authors FROM authors'],
    ['count the branches', 'SELECT COUNT(*) AS number_of_branches FROM branches'],
    ['number of loans', 'SELECT COUNT(*) AS number_of_loans FROM loans'],
    ['how many crime books are there', "SELECT COUNT(*) AS number_of_books FROM books WHERE genre = 'crime'"],
    [
      'how many members are from Stonebridge',
      "SELECT COUNT(*) AS number_of_members FROM members WHERE town = 'Stonebridge'",
    ],
    [
      'how many books with exactly 100 pages',
      'SELECT COUNT(*) AS number_of_books FROM books WHERE pages = 100',
    ],
    [
      'how many loans were not returned',
      'SELECT COUNT(*) AS number_of_loans FROM loans WHERE returned_at IS NULL',
    ],
    [
      'how many books have no published year?',
      'SELECT COUNT(*) AS number_of_books FROM books WHERE published_year IS NULL',
    ],
    [
      'how many distinct nationalities do authors have',
      'SELECT COUNT(DISTINCT nationality) AS number_of_nationality FROM authors',
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('sums, averages and extremes', () => {
  it.each([
    ['average pages of books', 'SELECT AVG(pages) AS average_pages FROM books'],
    ['total pages', 'SELECT SUM(pages) AS total_pages FROM books'],
    ['what is the total fine of all loans', 'SELECT SUM(fine_cents) AS total_fine_cents FROM loans'],
    ['what is the highest price of a book', 'SELECT MAX(price_cents) AS highest_price_cents FROM books'],
    [
      'average number of pages of poetry books',
      "SELECT AVG(pages) AS average_pages FROM books WHERE genre = 'poetry'",
    ],
    [
      'what is the average age of members per town',
      'SELECT town, AVG(age) AS average_age FROM members GROUP BY town',
    ],
    [
      'minimum and maximum pages of books by genre',
      'SELECT genre, MIN(pages) AS lowest_pages, MAX(pages) AS highest_pages FROM books GROUP BY genre',
    ],
    ['oldest member', 'SELECT first_name, last_name FROM members ORDER BY age DESC LIMIT 1'],
    ['youngest member', 'SELECT first_name, last_name FROM members ORDER BY age LIMIT 1'],
    ['the longest book', 'SELECT title FROM books ORDER BY pages DESC LIMIT 1'],
    ['cheapest book', 'SELECT title FROM books ORDER BY price_cents LIMIT 1'],
    ['most expensive book', 'SELECT title FROM books ORDER BY price_cents DESC LIMIT 1'],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('conditions', () => {
  it.each([
    ['members younger than 18', 'SELECT first_name, last_name FROM members WHERE age < 18'],
    [
      'members aged between 20 and 30',
      'SELECT first_name, last_name FROM members WHERE age BETWEEN 20 AND 30',
    ],
    ['books with at least 500 pages', 'SELECT title FROM books WHERE pages >= 500'],
    ['books with at most 100 pages', 'SELECT title FROM books WHERE pages <= 100'],
    ['books with fewer than 100 pages', 'SELECT title FROM books WHERE pages < 100'],
    ['books between 100 and 200 pages', 'SELECT title FROM books WHERE pages BETWEEN 100 AND 200'],
    ['books published after 2000', 'SELECT title FROM books WHERE published_year > 2000'],
    ['books published in 1999', 'SELECT title FROM books WHERE published_year = 1999'],
    [
      'books published between 1990 and 1999',
      'SELECT title FROM books WHERE published_year BETWEEN 1990 AND 1999',
    ],
    ['books since 2010', 'SELECT title FROM books WHERE published_year >= 2010'],
    ['books without a published year', 'SELECT title FROM books WHERE published_year IS NULL'],
    ['authors born before 1900', 'SELECT name FROM authors WHERE birth_year < 1900'],
    [
      'Irish or Polish authors',
      "SELECT name FROM authors WHERE nationality = 'Irish' OR nationality = 'Polish'",
    ],
    ['authors who are not Irish', "SELECT name FROM authors WHERE nationality <> 'Irish'"],
    ['books that are not crime', "SELECT title FROM books WHERE genre <> 'crime'"],
    [
      'members whose first name starts with A',
      "SELECT first_name, last_name FROM members WHERE first_name LIKE 'A%'",
    ],
    [
      'members from Elmford older than 40',
      "SELECT first_name, last_name FROM members WHERE town = 'Elmford' AND age > 40",
    ],
    ['branches in the North district', "SELECT name FROM branches WHERE district = 'North'"],
    ['books longer than average', 'SELECT title FROM books WHERE pages > (SELECT AVG(pages) FROM books)'],
    [
      'members older than the average age',
      'SELECT first_name, last_name FROM members WHERE age > (SELECT AVG(age) FROM members)',
    ],
    ['which towns have more than 10 members', 'SELECT town FROM members GROUP BY town HAVING COUNT(*) > 10'],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('what is shown, and in which order', () => {
  it.each([
    ['show all branches', 'SELECT name FROM branches'],
    ['list the names and districts of branches', 'SELECT name, district FROM branches'],
    ['title, genre and price of books', 'SELECT title, genre, price_cents FROM books'],
    ['show the email of every member', 'SELECT email FROM members'],
    ['what are the different towns of members', 'SELECT DISTINCT town FROM members'],
    [
      'name and birth year of Polish authors',
      "SELECT name, birth_year FROM authors WHERE nationality = 'Polish'",
    ],
    [
      'first name, last name and town of members older than 70',
      'SELECT first_name, last_name, town FROM members WHERE age > 70',
    ],
    ['what is the genre of Nine Lanterns', "SELECT genre FROM books WHERE title = 'Nine Lanterns'"],
    ['when did the Harbour House branch open', "SELECT opened_on FROM branches WHERE name = 'Harbour House'"],
    ['books sorted by pages descending', 'SELECT title FROM books ORDER BY pages DESC'],
    ['members ordered by age', 'SELECT first_name, last_name FROM members ORDER BY age'],
    ['members sorted by last name', 'SELECT first_name, last_name FROM members ORDER BY last_name'],
    ['list the titles of books in alphabetical order', 'SELECT title FROM books ORDER BY title'],
    ['the 5 longest books', 'SELECT title FROM books ORDER BY pages DESC LIMIT 5'],
    ['the 3 cheapest books', 'SELECT title FROM books ORDER BY price_cents LIMIT 3'],
    ['5 oldest members', 'SELECT first_name, last_name FROM members ORDER BY age DESC LIMIT 5'],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})
