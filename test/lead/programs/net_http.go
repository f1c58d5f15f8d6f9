package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	request, _ := http.NewRequest("GET", "https://api.x.com/2/users/by/username/maya", nil)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PIPIT_BEARER_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	var answer struct{ Data struct{ Username string } }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(err)
	}
	fmt.Println(answer.Data.Username)
}
