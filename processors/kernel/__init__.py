"""What a game is written with: cards, odds, money, wagers, settlement, citation."""
