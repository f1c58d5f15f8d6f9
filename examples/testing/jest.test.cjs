const { pipitMatchers, startPipit } = require('pipit/testing');

expect.extend(pipitMatchers);

let pipit;
beforeAll(async () => {
  pipit = await startPipit();
});
afterAll(() => pipit.stop());
beforeEach(() => pipit.reset());

test('a reply starts with the handle', async () => {
  const { alice, bob } = pipit.users;
  await bob.reply(await alice.post('Who is up?'), 'Me');
  await expect(bob).toHavePosted('@alice Me');
  await expect(pipit).toHaveReceived({ operation: 'createTweet' }, 2);
  await expect(pipit).not.toHaveReceived({ refused: true });
});
