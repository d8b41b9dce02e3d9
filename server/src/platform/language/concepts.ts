import { stemOf } from './stems.ts';
import { hashOf } from './word-hash.ts';

/**
 * Everyday words that stand for one concept: a question about pets is answered by a dog. Each line is one concept, small and general, named
 * by its first word; a word may belong to several.
 */
const CONCEPTS = `
pet animal dog cat puppy kitten turtle hamster rabbit parrot bird fish horse cow goat sheep chicken hen pig snake lizard guinea breed vet
family relative parent mother father sister brother son daughter aunt uncle cousin grandma grandpa grandparent nephew niece sibling twin in-law
partner husband wife spouse boyfriend girlfriend fiance fiancee married marry wedding engaged date relationship single divorce
child baby toddler son daughter kid teen infant newborn twin pregnant born
friend buddy pal colleague coworker teammate neighbor roommate mate
job work career profession occupation employer employ hire office salary promotion boss manager company profession position fired layoff
teacher nurse doctor lawyer engineer banker chef cook waiter driver plumber carpenter electrician accountant designer artist writer journalist scientist programmer developer farmer pharmacist midwife dentist mechanic architect job profession
school college university class course degree study student exam graduate lecture homework semester teacher major diploma certificate thesis education
music song band concert album sing singer instrument guitar piano violin drum flute clarinet cello saxophone trumpet choir orchestra listen
instrument guitar piano violin drum flute clarinet cello saxophone trumpet ukulele harp
sport soccer football basketball tennis baseball hockey volleyball golf swim run marathon gym yoga cycle surf ski skate climb box rugby cricket badminton exercise workout athletic
martial karate judo taekwondo kickboxing boxing aikido
hobby activity interest pastime paint read garden hike camp fish knit sew pottery craft photography dance cook bake game chess climb
art paint painting draw drawing sketch sculpture pottery canvas artist gallery exhibit mural portrait craft
book novel read author story series fantasy mystery poem poetry library literature fiction memoir chapter
movie watch cinema actor director series show documentary comedy drama thriller horror screenplay netflix
genre drama romance comedy thriller horror fantasy mystery fiction jazz rock classical pop hip-hop country documentary
game video console nintendo playstation xbox chess puzzle board card tournament play rpg
food eat meal dish dinner lunch breakfast snack recipe cook bake restaurant cuisine taste delicious ingredient
dessert cake cookie pie chocolate ice cream pastry muffin brownie sweet pudding candy
fruit apple banana orange berry strawberry grape lemon peach pear cherry mango
vegetable carrot potato tomato onion pepper salad cabbage spinach bean lettuce pumpkin
meat beef pork chicken steak ham bacon sausage lamb turkey vegetarian vegan fish
drink coffee tea beer wine juice water milk soda smoothie cocktail
allergy allergic intolerant intolerance sensitive reaction avoid nut peanut gluten dairy lactose shellfish
health illness sick disease doctor hospital surgery operation medicine medication pill symptom diagnosis injury hurt pain treatment clinic therapy fever flu cold asthma diabetes
injury hurt ankle knee wrist broken fracture sprain bandage recover pain cut stitch
diet weight fit healthy nutrition exercise calorie sugar
feel emotion happy sad angry nervous anxious stress proud excited scared lonely grateful upset worry joy relief overwhelmed
stress relax destress calm unwind meditate yoga therapy soothe peace
city town village capital london paris berlin rome tokyo lisbon madrid york boston chicago seattle vienna amsterdam
country nation abroad england ireland scotland france germany italy spain portugal sweden norway denmark japan china india canada mexico brazil australia greece turkey poland switzerland usa america uk
state region california florida texas oregon michigan minnesota washington
plane flight fly land arrive airport depart
stay hotel guesthouse hostel lodging accommodation apartment
travel trip holiday journey visit tour flight airport hotel abroad tourist destination explore roadtrip cruise
vehicle car truck bike motorcycle van bus train tram boat ship drive
home house flat apartment room live rent landlord mortgage move neighborhood roof kitchen address
live reside home move stay located
furniture chair table sofa couch bed desk shelf lamp cupboard wardrobe
clothes clothing dress shirt shoe jacket hat hoodie wear outfit fashion sock coat jeans scarf boot
jewelry necklace ring bracelet earring pendant
gift present birthday christmas surprise give receive
celebrate party birthday anniversary wedding festival graduation holiday christmas thanksgiving easter halloween
nature forest mountain beach lake river hike camp park sunset ocean sea trail waterfall wood
outdoors hike camp climb trail fish kayak canoe tent
beach ocean sea surf sand coast shore sail
plant garden flower tree rose tulip seed soil vegetable lawn herb grow
weather rain snow storm sun wind cold hot temperature flood hurricane
disaster flood fire earthquake storm hurricane tornado
money cost price pay dollar euro pound budget expensive cheap save loan bank invest afford salary fee
grocery shopping supermarket market food
buy purchase order shop get bought pick
sell sale sold customer client shop
business startup company entrepreneur brand launch customer investor store shop
company brand sponsor endorsement deal
computer laptop phone tablet software app website online internet device gadget
tool hammer drill saw screwdriver wrench ladder
charity volunteer donate fundraiser shelter homeless community cause nonprofit help
religion church faith god pray spiritual bible mosque temple priest
politics election vote campaign government mayor policy office council
military army veteran soldier navy war service
colour red blue green yellow purple pink orange black white brown grey
material wood metal glass plastic leather cotton wool stone clay steel
start begin launch open found establish
finish end complete done stop quit
plan intend goal aim future hope dream want upcoming
goal achieve dream ambition aim target milestone
win victory award prize trophy medal champion first place
achievement award win promotion finish graduate accomplish milestone success
problem issue trouble challenge difficulty setback struggle obstacle broken fail wrong
accident crash hit hurt injury damage
fix repair mend broken replace
make create build craft produce design sew
study learn revise course homework exam
teach learn lesson instruct tutor class mentor coach
talk discuss conversation chat say tell speak call
meet meeting met encounter introduce
like love enjoy favorite prefer fan adore into
dislike hate avoid afraid fear scared
photo picture camera photography image shot pic
name call title nickname named
age old year birthday born
remind memory remember symbolize represent
inspire motivate encourage influence
support help encourage assist back
adopt rescue foster agency child
collect collection stamp coin antique vintage
attend join participate event conference workshop meeting class
event parade festival concert conference workshop fair party ceremony
transport bus train tram subway taxi commute ferry
sleep tired rest nap bed insomnia night
morning breakfast early dawn
evening night dinner late
group club team society member join
`;

/** The everyday words, concept by concept. */
export const LINES: readonly string[][] = CONCEPTS.trim()
  .split('\n')
  .map((line) => line.split(' '));

/** The concepts of a word, as hashes. */
export interface Concepts {
  all: number[];
  /** Those that it names: “pet” asks for any pet, “dog” for a dog. */
  named: number[];
}

/** The concepts by stem. */
export function conceptTable(): ReadonlyMap<string, Concepts> {
  const table = new Map<string, Concepts>();
  for (const [number, line] of LINES.entries()) {
    const concept = hashOf(`concept ${number}`);
    const [first, ...others] = new Set(line.map((word) => stemOf(word)));
    for (const word of [first ?? '', ...others]) {
      const concepts = table.get(word) ?? { all: [], named: [] };
      concepts.all.push(concept);
      if (word === first) concepts.named.push(concept);
      table.set(word, concepts);
    }
  }
  return table;
}
