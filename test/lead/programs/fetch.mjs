const headers = { authorization: `Bearer ${process.env.PIPIT_BEARER_TOKEN}` };
const response = await fetch('https://api.x.com/2/users/by/username/maya', { headers });
const { data } = await response.json();
console.log(data.username);
