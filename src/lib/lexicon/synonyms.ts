import { stemWord } from '../stem-word.ts'

/**
 * General English words that mean nearly the same in a database, one group per line. They are weak evidence: an exact
 * word always wins. Written for this project; no line is specific to a domain or data set.
 */
export const synonymGroups: readonly (readonly string[])[] = `
person people human individual
employee staff worker personnel
customer client buyer purchaser shopper consumer guest
student pupil learner
teacher instructor professor lecturer faculty tutor
manager boss supervisor head chief director leader superior
company firm business organization organisation corporation enterprise vendor
supplier vendor provider seller
shop store branch outlet
product item good merchandise article
order purchase transaction
revenue sale turnover income earning
price cost fee charge rate fare
cost expense spending spend expenditure price
salary wage pay earning income compensation
amount sum quantity total value
quantity unit count piece amount
number count quantity
money amount fund budget
film movie picture
show program programme series
song track music tune
singer artist musician performer vocalist
author writer
book title publication
doctor physician
nurse caregiver
patient sick
illness disease condition
medicine medication drug
city town municipality
town city hometown
country nation nationality
nationality country citizenship
state province region county
region area zone territory district
area surface size extent region
location place site venue position address
place location position rank
address location street residence
street road address
home house residence
house building property home
building structure
apartment flat unit
room chamber
school college university
college university
course class subject
class course section
department division
major subject study
grade score mark
score point mark result
result outcome
rank ranking position standing
rating score star grade
game match competition
match game
competition contest tournament event
tournament championship contest
event occasion happening
team club squad side
club team society
player athlete sportsman
coach trainer
champion winner
winner victor
loser defeated
car vehicle automobile
vehicle car
plane aircraft airplane
aircraft plane airplane
airline carrier
airport airfield
flight trip
trip journey travel tour
train railway
ship boat vessel
captain commander
pilot aviator
speed velocity pace
date day time
time date hour
duration length time
length long duration
height tall elevation
elevation altitude height
weight heavy mass
width wide breadth
depth deep
age old
birth born birthday birthdate
death die died killed dead
gender sex
phone telephone cell mobile
mobile cell phone
email mail
zip postal postcode
code identifier id abbreviation
id identifier identification number code
name title label
title name
last family surname
first given
type kind category sort class
category type kind genre
kind type sort
genre category style type
style genre type
status state condition
description detail summary information
detail description information
description describe
note comment remark
comment remark note review
review rating comment opinion
reason cause
cause reason
color colour
language tongue
religion faith
population inhabitant resident people
resident inhabitant
capacity seat size
size capacity
seat capacity
storey floor level
floor level storey
level degree tier
maker manufacturer producer brand
manufacturer maker producer
brand make maker
model version
version release
release issue publish
publisher press
owner holder possessor
owner own
host organizer
hosting host
visitor guest
attendance audience visitor
audience viewer attendance
member participant
participant member entrant attendee
attendee participant
membership member
enrollment enrolment registration enroll
register enroll enrol registration sign
registration enrollment
start begin open commence
begin start from
end finish close expire
opening open start
founded establish found create built formed
foundation found
built construct build construction
create make built
join sign
hire employ
leave depart left departure
departure leave origin
arrival arrive
arrive come
origin source departure
destination target arrival
source origin
send ship deliver
ship send dispatch deliver
delivery deliver shipping
buy purchase order
sell sale sold
sale sell sold
pay payment
payment pay
bill invoice
invoice bill
refund return
return refund
place order put
own have possess
live reside stay inhabit
stay live reservation
work employ job
job occupation profession work position
occupation profession job
profession occupation job
position title role job
role position part
expertise specialty skill
skill ability
share percentage portion
percentage percent share rate
rate percentage
share stock
asset property
property feature attribute
feature characteristic attribute
problem issue fault
issue problem
complaint problem
fault defect error
log record history
file document
document file paper
paper article publication
article paper
photo picture image
picture photo image
image picture
website site url web
url website link
friend buddy
parent father mother
child kid son daughter
wife husband spouse
husband wife spouse
partner spouse
male man boy
female woman girl
word term
page sheet
page leaf
temperature heat
weather climate
mountain peak
river stream
lake water
farm ranch
animal pet
pet animal
dog canine
hotel inn
restaurant eatery diner
food dish meal
meal dish
drink beverage
market exchange
account user
user account
loan credit
credit loan
bank lender
balance amount saving
vote ballot
election poll
candidate nominee
party faction
government administration
policy insurance
claim demand
project program task
task job assignment
assignment task
budget fund money
grant fund award
award prize honor
prize award
medal award
festival fair
exhibition exhibit show
museum gallery
theme topic subject
topic subject theme
tv television
channel station network
network channel
station stop
battle fight war
weapon arm
army military force
injury wound hurt injured
kill death killed
crime offense
treatment therapy procedure
procedure treatment operation
test exam examination
exam test
lesson class
semester term
term semester
degree program
transcript record
campus site
dorm dormitory residence
amenity facility
facility amenity
service amenity
activity hobby
sport game
season year
week
month
quarter
year annual
annual year yearly
daily day
`
  .trim()
  .split('\n')
  .map(line => line.trim().split(/\s+/))

const relatedStems: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const map = new Map<string, Set<string>>()
  for (const group of synonymGroups) {
    const [head, ...rest] = group.map(stemWord)
    if (head === undefined) continue
    for (const other of rest) {
      map.set(head, (map.get(head) ?? new Set()).add(other))
      map.set(other, (map.get(other) ?? new Set()).add(head))
    }
  }
  return map
})()

/** Whether two stems share a line of the lexicon, with one of them as its head. Symmetric. */
export const areRelated = (a: string, b: string): boolean => relatedStems.get(a)?.has(b) ?? false

/** The stems that share a line of the lexicon with a stem. */
export const relatedTo = (stem: string): ReadonlySet<string> => relatedStems.get(stem) ?? none

const none: ReadonlySet<string> = new Set()
